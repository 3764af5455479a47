// The columns of a grid: which are shown, how wide they are, and what they hold in short.

const MANY_COLUMNS = 12; // a longer menu has a field to find one
const NARROWEST_PX = 40;

function columnMenu(grid) {
  const menu = make("details", "pm-columns");
  const [head, list] = [make("summary"), make("div")];
  const columns = grid.all.slice(1);
  const lines = columns.map((column) => {
    const [label, box] = [make("label"), make("input")];
    box.type = "checkbox";
    box.addEventListener("change", () => change([{ column }], box.checked));
    label.append(box, ` ${column.name}`);
    return { column, label, box };
  });
  const tell = () => {
    const { size } = grid.hidden;
    head.textContent = size ? `Columns (${columns.length - size} of ${columns.length})` : "Columns";
    for (const { column, box } of lines) box.checked = !grid.hidden.has(column.place);
  };
  const change = (some, isShown) => {
    for (const { column } of some) isShown ? grid.hidden.delete(column.place) : grid.hidden.add(column.place);
    grid.columnsChanged();
    grid.draw();
    tell();
  };
  if (columns.length > MANY_COLUMNS) list.append(finder(lines, change));
  list.append(...lines.map(({ label }) => label));
  menu.append(head, list);
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    head.focus();
    event.stopPropagation(); // the list of checks around it stays as it is
  });
  tell();
  return menu;
}

// A field that leaves some lines of the menu, and buttons that show or hide all of these.
function finder(lines, change) {
  const [bar, search] = [make("div", "pm-grid-bar"), make("input")];
  search.type = "search";
  search.placeholder = "Find a column";
  search.setAttribute("aria-label", "Find a column");
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase();
    for (const { column, label } of lines) label.hidden = !column.name.toLowerCase().includes(words);
  });
  const listed = () => lines.filter(({ label }) => !label.hidden);
  bar.append(
    search,
    makeButton("Show", "Show the columns that are listed here", () => change(listed(), true)),
    makeButton("Hide", "Hide the columns that are listed here", () => change(listed(), false)),
  );
  return bar;
}

// The right edge of a column's name, by which it is drawn wider.
function edgeOf(column, grid) {
  const edge = make("span", "pm-edge");
  edge.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    edge.setPointerCapture(event.pointerId);
    const width = grid.table.querySelectorAll("col")[grid.columns.indexOf(column)];
    const start = edge.parentElement.offsetWidth - event.clientX;
    edge.onpointermove = (move) => {
      column.drawn = `${Math.max(NARROWEST_PX, start + move.clientX)}px`;
      width.style.width = column.drawn;
    };
  });
  edge.addEventListener("pointerup", () => {
    edge.onpointermove = null;
    grid.draw(); // it may scroll sideways now
  });
  return edge;
}

// A third line of the head: gaps, different values, and the range or the commonest value of the rows that are listed.
class GridFacts {
  constructor(grid) {
    this.grid = grid;
    this.isShown = false;
    this.button = makeButton("Summary", "What each column holds in the rows that are listed", () => this.toggle());
    this.button.setAttribute("aria-pressed", "false");
    this.row = make("tr", "pm-facts");
  }

  toggle() {
    this.isShown = !this.isShown;
    this.button.setAttribute("aria-pressed", this.isShown);
    this.rebuilt();
    this.grid.draw();
  }

  // The head was made anew, or other rows are listed: what was said is no longer so.
  rebuilt() {
    this.row.remove();
    if (!this.isShown) return;
    this.row.replaceChildren(...this.grid.columns.map(() => make("td", "", "…")));
    this.grid.table.tHead.append(this.row);
    this.look();
  }

  async look() {
    const { rows } = this.grid;
    const { version } = rows;
    const answer = await this.grid.ask({ ask: "facts", columns: rows.columns, ...rows.chosen });
    if (version !== rows.version) return;
    [...this.row.cells].forEach((cell, at) => {
      const of = answer.of ? [`of the first ${answer.of.toLocaleString("en")}`] : [];
      const lines = at ? (answer.facts?.[at] ?? [answer.error]) : of;
      cell.replaceChildren(...lines.map((line) => make("div", "", line)));
      cell.title = lines.join("\n");
    });
    this.grid.draw();
  }
}
