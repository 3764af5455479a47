// What stands above a grid: search, columns, copy, download.

function whenTyped(input, act) {
  let due = 0;
  input.addEventListener("input", () => {
    clearTimeout(due);
    due = setTimeout(act, TYPING_MS);
  });
}

function makeBar(grid) {
  const bar = make("div", "pm-grid-bar");
  const search = make("input");
  search.type = "search";
  search.placeholder = "Search all columns";
  search.setAttribute("aria-label", "Search all columns");
  whenTyped(search, () => grid.choose({ words: search.value }));
  const button = (text, tip, act) => {
    const made = make("button", "pm-action", text);
    made.type = "button";
    made.title = tip;
    made.addEventListener("click", act);
    return made;
  };
  bar.append(
    search,
    grid.status,
    columnMenu(grid),
    button("Copy", "Copy the rows that are listed", () => copyRows(grid)),
    button("CSV", "Download the rows that are listed", () => download(grid, "csv")),
    button("Parquet", "Download the rows that are listed", () => download(grid, "parquet")),
  );
  return bar;
}

function columnMenu(grid) {
  const menu = make("details", "pm-columns");
  menu.append(make("summary", "", "Columns"));
  const list = make("div");
  for (const column of grid.all.slice(1)) {
    const label = make("label");
    const box = make("input");
    box.type = "checkbox";
    box.checked = !grid.hidden.has(column.place);
    box.addEventListener("change", () => {
      box.checked ? grid.hidden.delete(column.place) : grid.hidden.add(column.place);
      grid.columnsChanged();
      grid.draw();
    });
    label.append(box, ` ${column.name}`);
    list.append(label);
  }
  menu.append(list);
  return menu;
}

async function copyRows(grid) {
  const answer = await grid.ask({ ask: "copy", columns: grid.rows.columns, ...grid.rows.chosen });
  if (!answer.error) await copyText(answer.text);
  grid.status.textContent = answer.error ?? `${answer.copied.toLocaleString("en")} rows copied`;
}

async function download(grid, form) {
  grid.status.textContent = "writing …";
  const answer = await grid.ask({ ask: form, ...grid.rows.chosen });
  if (!answer.error) saveFile(answer.file, answer.buffers[0]);
  grid.status.textContent = answer.error ?? `${answer.saved.toLocaleString("en")} rows in ${answer.file}`;
}

function saveFile(name, content) {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([content]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// Pages that do not come by https, nor from this machine, have no clipboard of their own.
async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = make("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
