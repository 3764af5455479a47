// The list of checks, live: filters, order, pages, one check in depth. What is shown is made by the kernel.

const BOARD_VIEWS = ["Checks", "Runs", "Tables", "Models"];
const FILTER_NAMES = { table: "Table", tag: "Tag", severity: "Severity", owner: "Owner", verdict: "Verdict", state: "State" };

function makeBoard(element, opened, { ask }) {
  const before = [...element.childNodes];
  const board = new Board(opened, ask);
  element.replaceChildren(board.root);
  addStyle(element);
  board.show(opened);
  return () => element.replaceChildren(...before);
}

class Board {
  constructor(opened, ask) {
    this.ask = ask;
    this.choice = { words: "", by: "", descending: false };
    this.page = 0;
    this.asked = 0; // an answer to an earlier choice is too late
    this.opened = null; // the id of the check that is shown in depth
    this.build(opened);
  }

  build({ filters, exports }) {
    this.root = make("div");
    this.status = make("p", "pm-said");
    this.status.setAttribute("role", "status");
    this.list = make("div", "pm-list");
    this.deeds = new BoardDeeds(this, exports);
    this.narrow = make("div", "pm-grid-bar");
    for (const [name, values] of Object.entries(filters)) this.narrow.append(this.filter(name, values));
    const search = make("input");
    search.type = "search";
    search.placeholder = "Search id, rule, table, tag, owner";
    search.setAttribute("aria-label", "Search checks");
    whenTyped(search, () => this.choose({ words: search.value }));
    this.narrow.append(search);
    this.back = makeButton("‹", "Earlier checks", () => this.turn(-1));
    this.forth = makeButton("›", "Later checks", () => this.turn(1));
    this.place = make("span", "pm-where");
    this.pager = make("div", "pm-grid-bar");
    this.pager.append(this.back, this.place, this.forth);
    this.checks = make("div");
    this.checks.append(this.narrow, this.status, this.deeds.bar, this.deeds.slot, this.deeds.told, this.list, this.pager);
    this.other = make("div");
    this.root.append(this.tabs(), this.checks, this.other);
    this.list.addEventListener("click", (event) => this.clicked(event));
    this.list.addEventListener("keydown", (event) => this.pressed(event));
  }

  tabs() {
    const bar = make("div", "pm-tabs");
    bar.setAttribute("role", "tablist");
    for (const view of BOARD_VIEWS) {
      const tab = makeButton(view, "", () => this.look(view), "pm-tab");
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-selected", view === "Checks");
      tab.tabIndex = view === "Checks" ? 0 : -1;
      bar.append(tab);
    }
    bar.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by) return;
      const tabs = [...bar.children];
      const next = tabs[(tabs.indexOf(document.activeElement) + by + tabs.length) % tabs.length];
      next.focus();
      next.click();
    });
    return bar;
  }

  async look(view) {
    for (const tab of this.root.querySelectorAll('[role="tab"]')) {
      tab.setAttribute("aria-selected", tab.textContent === view);
      tab.tabIndex = tab.textContent === view ? 0 : -1;
    }
    this.checks.hidden = view !== "Checks";
    this.other.hidden = !this.checks.hidden;
    if (this.checks.hidden) this.other.innerHTML = (await this.ask({ ask: "view", view })).html ?? "";
  }

  filter(name, values) {
    const label = make("label", "", `${FILTER_NAMES[name]} `);
    const menu = make("select");
    menu.append(new Option("any", ""));
    for (const value of values) menu.append(new Option(value, value));
    menu.addEventListener("change", () => this.choose({ [name]: menu.value }));
    label.append(menu);
    return label;
  }

  choose(change) {
    Object.assign(this.choice, change);
    this.page = 0;
    this.opened = null;
    return this.refresh();
  }

  turn(by) {
    this.page += by;
    this.opened = null;
    return this.refresh();
  }

  async refresh(more = {}) {
    this.asked += 1;
    const number = this.asked;
    this.status.textContent = "looking …";
    const answer = await this.ask({ ask: "list", choice: this.choice, page: this.page, ...more });
    if (number === this.asked) this.show(answer);
  }

  show(answer) {
    this.status.textContent = answer.error ?? answer.said ?? "";
    if (answer.error) return;
    this.page = answer.page;
    this.list.innerHTML = answer.html;
    this.back.disabled = answer.page === 0;
    this.forth.disabled = answer.page >= answer.last;
    this.pager.hidden = answer.last === 0;
    this.place.textContent = answer.place;
    for (const head of this.list.querySelectorAll("th[data-pm-sort]")) this.makeSorter(head);
    for (const row of this.list.querySelectorAll("tr[data-pm-line]")) this.makeOpener(row);
    this.deeds.listed(answer);
    const again = this.rowOf(this.opened);
    if (again) this.open(again);
  }

  rowOf(check) {
    return [...this.list.querySelectorAll("tr[data-pm-line]")].find((row) => row.dataset.pmLine === check);
  }

  // By a first click upwards, by a second downwards, by a third in the order of ids.
  makeSorter(head) {
    const column = head.dataset.pmSort;
    const { by, descending } = this.choice;
    const isSorted = by === column;
    head.setAttribute("aria-sort", isSorted ? (descending ? "descending" : "ascending") : "none");
    const button = makeButton(
      `${column}${isSorted ? (descending ? " ↓" : " ↑") : ""}`,
      `Sort by ${column}`,
      async () => {
        await this.choose(isSorted && descending ? { by: "", descending: false } : { by: column, descending: isSorted });
        this.list.querySelector(`th[data-pm-sort="${column}"] button`)?.focus();
      },
      "pm-plain",
    );
    head.replaceChildren(button);
  }

  makeOpener(row) {
    const cell = row.cells[0];
    const button = makeButton(cell.textContent, "Open this check", () => {}, "pm-plain");
    button.setAttribute("aria-expanded", "false");
    cell.replaceChildren(button);
  }

  clicked(event) {
    const row = event.target.closest("tr[data-pm-line]");
    if (!row || !getSelection().isCollapsed) return;
    if (this.opened === row.dataset.pmLine && row.nextElementSibling?.classList.contains("pm-open")) this.close();
    else this.open(row);
  }

  pressed(event) {
    if (event.key === "Escape" && this.opened) {
      const row = this.rowOf(this.opened);
      this.close();
      row?.querySelector("button").focus();
      event.stopPropagation();
    }
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || !event.target.matches("tr[data-pm-line] th button")) return;
    event.preventDefault();
    const openers = [...this.list.querySelectorAll("tr[data-pm-line] th button")];
    openers[openers.indexOf(event.target) + by]?.focus();
  }

  close() {
    this.opened = null;
    this.list.querySelector("tr.pm-open")?.remove();
    for (const button of this.list.querySelectorAll('[aria-expanded="true"]')) {
      button.setAttribute("aria-expanded", "false");
    }
  }

  async open(row) {
    this.close();
    const check = row.dataset.pmLine;
    this.opened = check;
    const button = row.querySelector("th button");
    button.setAttribute("aria-expanded", "true");
    const answer = await this.ask({ ask: "detail", check });
    if (this.opened !== check || !row.isConnected || row.nextElementSibling?.classList.contains("pm-open")) return;
    const inside = make("div", "pm-detail");
    const page = make("div");
    page.innerHTML = answer.error ? "" : answer.html;
    if (answer.error) page.textContent = answer.error;
    inside.append(...this.deeds.ofOne(check, answer, page), page);
    const cell = make("td");
    cell.colSpan = row.cells.length;
    cell.append(inside);
    const below = make("tr", "pm-open");
    below.append(cell);
    row.after(below);
  }
}
