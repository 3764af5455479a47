// What stands above a grid: search, what the columns hold, copy, download.

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
  grid.clear = makeButton("Clear", "All rows again, as they came", () => {
    search.value = "";
    grid.chooseAll();
    search.focus();
  });
  grid.clear.hidden = true;
  bar.append(
    search,
    grid.status,
    grid.clear,
    grid.facts.button,
    columnMenu(grid),
    makeButton("Copy", "Copy the rows that are listed", () => copyRows(grid)),
    makeButton("Code", "Copy the filters and the order as pandas code", () => copyCode(grid)),
    makeButton("CSV", "Download the rows that are listed", () => download(grid, "csv")),
    makeButton("Parquet", "Download the rows that are listed", () => download(grid, "parquet")),
  );
  return bar;
}

async function copyRows(grid) {
  const answer = await grid.ask({ ask: "copy", columns: grid.rows.columns, ...grid.rows.chosen });
  if (!answer.error) await copyText(answer.text);
  grid.status.textContent = answer.error ?? `${answer.copied.toLocaleString("en")} rows copied`;
}

async function copyCode(grid) {
  const answer = await grid.ask({ ask: "code", ...grid.rows.chosen });
  if (!answer.error) await copyText(answer.code);
  grid.status.textContent = answer.error ?? `copied: ${answer.code}`;
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
