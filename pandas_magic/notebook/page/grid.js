// A grid over rows that stay in the kernel. Values are hostile: they become text and nothing else.

const ROW_PX = 24;
const MOST_ROWS_IN_VIEW = 14;
const TALLEST_PX = 8e6; // browsers draw nothing beyond some 17 million
const MOST_COLUMNS = 30; // shown at first; the menu has the others
const TYPING_MS = 250;

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function makeButton(text, tip, act, className = "pm-action") {
  const button = make("button", className, text);
  button.type = "button";
  if (tip) button.title = tip;
  button.addEventListener("click", act);
  return button;
}

function makeGrid(element, opened, { ask }) {
  const before = [...element.childNodes];
  const grid = new Grid(opened, ask);
  element.replaceChildren(grid.root);
  addStyle(element);
  grid.draw();
  return () => element.replaceChildren(...before);
}

class Grid {
  constructor(opened, ask) {
    this.ask = ask;
    this.all = opened.columns;
    this.hidden = new Set(this.all.slice(MOST_COLUMNS).map((column) => column.place));
    this.total = opened.found;
    this.isAbout = Boolean(opened.about);
    this.first = 0; // the row at the top
    this.rows = new GridRows(ask, (error) => this.answered(error));
    this.rows.found = opened.found;
    this.facts = new GridFacts(this);
    this.build(opened);
    this.corrections = opened.corrections ? new GridCorrections(this, opened) : null;
    if (this.corrections) this.root.append(this.corrections.foot);
    this.columnsChanged();
  }

  get columns() {
    return this.all.filter((column) => !this.hidden.has(column.place));
  }

  get inView() {
    return Math.min(MOST_ROWS_IN_VIEW, Math.max(this.rows.found, 1));
  }

  build({ shared, beside }) {
    this.root = make("div", "pm-grid");
    this.root.pmGrid = this; // for what stands beside it
    if (shared.length) this.root.append(make("p", "pm-where", `In common: ${shared.join("; ")}`));
    if (beside.length) this.root.append(make("p", "pm-where", `Of these rows also fail: ${beside.join(", ")}`));
    this.status = make("span", "pm-where");
    this.status.setAttribute("role", "status");
    this.root.append(makeBar(this));
    this.scroller = make("div", "pm-grid-rows");
    this.tall = make("div");
    this.table = make("table");
    this.table.setAttribute("role", "grid");
    this.tall.append(this.table);
    this.scroller.append(this.tall);
    this.root.append(this.scroller);
    this.scroller.addEventListener("scroll", () => this.scrolled());
    this.scroller.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
    this.table.addEventListener("keydown", (event) => this.pressed(event));
    this.table.addEventListener("dblclick", (event) => this.corrections?.begin(event.target.closest("tbody td")));
  }

  columnsChanged() {
    this.rows.columns = this.columns.map((column) => column.place);
    this.rows.choose({});
    this.buildTable();
  }

  choose(change) {
    this.corrections?.leave();
    this.rows.choose(change);
    this.first = 0;
    this.scroller.scrollTop = 0;
    this.status.textContent = "looking …";
    const { filters, words, within, sort } = this.rows.chosen;
    this.clear.hidden = !words && !within && !sort.length && !Object.values(filters).some(Boolean);
    this.draw();
    this.facts.rebuilt();
  }

  // Only the rows that something beside the grid is about; "" means all again.
  chooseWithin(within, said) {
    const chip = this.root.querySelector(".pm-within") ?? make("button", "pm-action pm-within");
    chip.type = "button";
    // What a report estimates is counted by the grid.
    chip.textContent = `Rows where ${this.isAbout ? said.replace(/ \([\d,]+ rows?\)$/, "") : said} ✕`;
    chip.title = "Show all rows again";
    chip.onclick = () => {
      chip.remove();
      this.choose({ within: "" });
    };
    this.root.prepend(chip);
    this.choose({ within });
  }

  chooseAll() {
    this.root.querySelector(".pm-within")?.remove();
    for (const input of this.table.querySelectorAll(".pm-grid-filters input")) input.value = "";
    this.choose({ filters: {}, words: "", within: "", sort: [] });
    this.drawHeads();
  }

  buildTable() {
    const widths = make("colgroup");
    const names = make("tr");
    const filters = make("tr", "pm-grid-filters");
    for (const column of this.columns) {
      const width = make("col");
      width.style.width = column.drawn ?? `calc(${column.width}ch + 20px)`;
      widths.append(width);
      names.append(this.headerCell(column));
      filters.append(this.filterCell(column));
    }
    const head = make("thead");
    head.append(names, filters);
    this.body = make("tbody");
    for (let row = 0; row < MOST_ROWS_IN_VIEW; row += 1) this.body.append(this.bodyRow());
    this.table.replaceChildren(widths, head, this.body);
    this.table.setAttribute("aria-colcount", this.columns.length);
    this.facts.rebuilt();
  }

  headerCell(column) {
    const cell = make("th", column.number ? "pm-number" : "");
    cell.scope = "col";
    const { sort } = this.rows.chosen;
    const at = sort.findIndex(([place]) => place === column.place);
    const isDescending = at >= 0 && sort[at][1];
    cell.setAttribute("aria-sort", at < 0 ? "none" : isDescending ? "descending" : "ascending");
    const arrow = at < 0 ? "" : `${isDescending ? " ↓" : " ↑"}${sort.length > 1 ? at + 1 : ""}`;
    const button = make("button", "", column.name + arrow);
    button.type = "button";
    button.title = `Sort by ${column.name}; with Shift, also by it`;
    button.addEventListener("click", (event) => this.sortBy(column, event.shiftKey));
    cell.append(button, edgeOf(column, this));
    return cell;
  }

  filterCell(column) {
    const cell = make("th");
    const input = make("input");
    input.type = "text";
    input.value = this.rows.chosen.filters[column.place] ?? "";
    input.placeholder = "filter";
    input.title = column.number ? "5, > 5, != 5, missing, present" : "words, = words, missing, present";
    input.setAttribute("aria-label", `Filter ${column.name}`);
    whenTyped(input, () => {
      this.choose({ filters: { ...this.rows.chosen.filters, [column.place]: input.value } });
    });
    cell.append(input);
    return cell;
  }

  bodyRow() {
    const row = make("tr");
    this.columns.forEach((column, at) => {
      const cell = make(at ? "td" : "th", column.number ? "pm-number" : "");
      if (column.tinted) cell.classList.add("pm-tinted");
      cell.tabIndex = -1;
      row.append(cell);
    });
    return row;
  }

  // By a first click upwards, by a second downwards, by a third as they came; with Shift the order by others stays.
  sortBy(column, isAlso) {
    const { sort } = this.rows.chosen;
    const old = sort.find(([place]) => place === column.place);
    const key = old?.[1] ? [] : [[column.place, Boolean(old)]];
    if (!isAlso) this.choose({ sort: key });
    else this.choose({ sort: old ? sort.flatMap((one) => (one === old ? key : [one])) : [...sort, ...key] });
    const at = this.columns.indexOf(column);
    this.drawHeads();
    this.table.tHead.rows[0].cells[at].firstChild.focus();
  }

  drawHeads() {
    const heads = [...this.table.tHead.rows[0].cells];
    this.columns.forEach((column, at) => heads[at].replaceWith(this.headerCell(column)));
  }

  answered(error) {
    const { found, looked } = this.rows;
    const all = `${this.total.toLocaleString("en")} row${this.total === 1 ? "" : "s"}`;
    const sofar = looked < 1 ? ` so far, ${Math.floor(100 * looked)} % looked at` : "";
    const listed = found === this.total ? all : `${found.toLocaleString("en")} of ${all}`;
    this.status.textContent = error || listed + sofar;
    this.draw();
  }

  draw() {
    const { found } = this.rows;
    const last = Math.max(0, found - this.inView);
    this.first = Math.min(this.first, last);
    const head = this.table.tHead.offsetHeight;
    const bars = this.scroller.offsetHeight - this.scroller.clientHeight; // with that for scrolling sideways
    this.tall.style.height = `${head + Math.min(found * ROW_PX, TALLEST_PX)}px`;
    this.scroller.style.height = `${head + this.inView * ROW_PX + bars}px`;
    [...this.body.rows].forEach((row, at) => {
      const texts = this.rows.known.get(this.first + at);
      row.hidden = this.first + at >= found;
      row.setAttribute("aria-rowindex", this.first + at + 1);
      [...row.cells].forEach((cell, number) => {
        this.drawCell(cell, texts ? texts[number] : "…");
      });
    });
    this.table.setAttribute("aria-rowcount", found);
    if (!this.table.querySelector('td[tabindex="0"]')) this.body.rows[0]?.cells[1]?.setAttribute("tabindex", "0");
    this.rows.need(this.first, this.inView);
  }

  // A corrected value comes with what it was, a rounded one with what it is.
  drawCell(cell, value) {
    const corrected = value?.was === undefined ? null : value;
    const text = value?.now ?? value;
    if (this.corrections?.input && cell.contains(this.corrections.input)) return;
    cell.textContent = text ?? "missing";
    cell.title = corrected ? `was ${corrected.was}; corrected, not in the data` : (value?.exact ?? text ?? "");
    cell.classList.toggle("pm-missing", text === null);
    cell.classList.toggle("pm-corrected", corrected !== null);
    cell.dataset.exact = value?.was ?? value?.exact ?? text ?? "";
  }

  get isScaled() {
    return this.rows.found * ROW_PX > TALLEST_PX;
  }

  scrolled() {
    if (this.isMoving) {
      this.isMoving = false;
      return;
    }
    this.corrections?.leave(); // its row is not where it was
    const way = this.scroller.scrollHeight - this.scroller.clientHeight;
    const last = Math.max(0, this.rows.found - this.inView);
    this.first = way > 0 ? Math.round((this.scroller.scrollTop / way) * last) : 0;
    this.draw();
  }

  // Of many rows a turn of the wheel would pass thousands.
  wheeled(event) {
    if (!this.isScaled || !event.deltaY) return;
    event.preventDefault();
    this.moveTo(this.first + Math.sign(event.deltaY) * Math.max(1, Math.round(Math.abs(event.deltaY) / ROW_PX)));
  }

  moveTo(row) {
    this.corrections?.leave();
    const last = Math.max(0, this.rows.found - this.inView);
    this.first = Math.max(0, Math.min(row, last));
    const way = this.scroller.scrollHeight - this.scroller.clientHeight;
    const top = last ? (this.first / last) * way : 0;
    this.isMoving = Math.abs(top - this.scroller.scrollTop) >= 1;
    this.scroller.scrollTop = top;
    this.draw();
  }

  pressed(event) {
    const cell = event.target.closest("tbody td, tbody th");
    if (!cell) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "c" && getSelection().isCollapsed) {
      copyText(cell.dataset.exact || cell.textContent);
      event.preventDefault();
    }
    if (event.key === "Enter" || event.key === "F2") {
      event.preventDefault();
      this.corrections?.begin(cell.closest("td"));
      return;
    }
    const row = cell.parentElement.sectionRowIndex;
    const by = { ArrowUp: -1, ArrowDown: 1, PageUp: -this.inView, PageDown: this.inView }[event.key];
    const ends = { Home: -Infinity, End: Infinity }[event.key];
    const aside = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined && ends === undefined && aside === undefined) return;
    event.preventDefault();
    let [down, across] = [row, cell.cellIndex + (aside ?? 0)];
    if (ends !== undefined) this.moveTo(ends < 0 ? 0 : this.rows.found);
    if (by !== undefined) down += by;
    if (down < 0 || down >= this.inView) this.moveTo(this.first + (down < 0 ? down : down - this.inView + 1));
    this.focus(Math.max(0, Math.min(down, this.inView - 1)), across);
  }

  focus(row, column) {
    const cell = this.body.rows[row]?.cells[column];
    if (!cell) return;
    for (const old of this.table.querySelectorAll('tbody [tabindex="0"]')) old.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus({ preventScroll: false });
  }
}
