// Correcting values in a grid: what is typed goes into a patch, never into the data, and can be tried and taken back.

const TRY_MS = 300;
const HINT = "Double-click a value, or press Enter on it, to correct it: the data stays as it is.";
const KEYS = 'Enter keeps it, Escape leaves it as it was. Nothing at all is a missing value, "" an empty text.';

class GridCorrections {
  constructor(grid, opened) {
    this.grid = grid;
    this.input = null; // the field in the cell that is being corrected
    this.foot = make("div", "pm-corrections");
    this.told = make("p", "pm-told");
    this.told.setAttribute("aria-live", "polite"); // the status above is that of the rows
    this.head = make("div", "pm-grid-bar");
    this.list = make("ol");
    this.outcome = make("div");
    this.foot.append(this.told, this.head, this.list, this.outcome);
    this.show(opened);
  }

  say(text) {
    this.told.textContent = text;
  }

  show({ corrections, patch }) {
    this.outcome.replaceChildren(); // it was about other corrections
    const count = corrections.length;
    const where = `${count} correction${count === 1 ? "" : "s"} in ${patch}; the data is as it was.`;
    this.head.replaceChildren(make("span", "pm-where", count ? where : HINT));
    if (count) this.head.append(makeButton("Try", "Which checks would pass then?", () => this.attempt(), "pm-action pm-first"));
    const lines = corrections.map(({ number, said }) => {
      const line = make("li", "", `${said} `);
      line.append(makeButton("Undo", `Take this back: ${said}`, () => this.undo(number, said)));
      return line;
    });
    this.list.replaceChildren(...lines);
  }

  async begin(cell) {
    if (!cell || cell.contains(this.input)) return;
    this.leave();
    const { grid } = this;
    const row = grid.first + cell.parentElement.sectionRowIndex;
    const column = grid.columns[cell.cellIndex];
    const at = { row, column: column.place, ...grid.rows.chosen };
    const { version } = grid.rows;
    const answer = await grid.ask({ ask: "value", ...at });
    this.say(answer.error ?? "");
    if (answer.error || version !== grid.rows.version || row !== grid.first + cell.parentElement.sectionRowIndex) return;
    const input = make("input", "pm-correcting");
    input.type = "text";
    input.value = answer.value;
    input.title = KEYS;
    input.setAttribute("aria-label", `Correct ${column.name}`);
    this.input = input;
    this.say(KEYS);
    const keep = () => this.keep(input, answer.value, { at, number: cell.cellIndex });
    input.addEventListener("blur", keep);
    input.addEventListener("keydown", (event) => {
      event.stopPropagation(); // arrows move in the text, Escape ends nothing around it
      if (event.key === "Enter") keep();
      if (event.key === "Escape") this.leave();
      if (event.key === "Enter" || event.key === "Escape") event.preventDefault();
    });
    cell.replaceChildren(input);
    input.select();
  }

  async keep(input, before, { at, number }) {
    if (this.input !== input || input.disabled) return;
    if (input.value === before) return this.leave();
    input.disabled = true;
    const answer = await this.grid.ask({ ask: "correct", text: input.value, ...at });
    input.disabled = false;
    if (this.input !== input) return;
    if (answer.error) {
      this.say(answer.error);
      input.setAttribute("aria-invalid", "true");
      input.focus();
      return;
    }
    const texts = this.grid.rows.known.get(at.row);
    if (texts) texts[number] = answer.text;
    this.leave();
    this.show(answer);
  }

  // The cell as it is known again, and the keys where they were.
  leave() {
    if (!this.input) return;
    const cell = this.input.closest("td");
    const hadFocus = this.input === document.activeElement || document.activeElement === document.body;
    this.input = null;
    this.say("");
    this.grid.draw();
    if (hadFocus) this.grid.focus(cell.parentElement.sectionRowIndex, cell.cellIndex);
  }

  async undo(number, said) {
    const answer = await this.grid.ask({ ask: "undo", number, said });
    this.say(answer.error ?? `Taken back: ${said}`);
    if (answer.corrections) this.show(answer);
    this.grid.choose({});
  }

  async attempt() {
    const button = this.head.querySelector("button");
    button.disabled = true;
    this.outcome.replaceChildren();
    this.say("trying on a copy …");
    let answer = await this.grid.ask({ ask: "try" });
    while (answer.trying) {
      await new Promise((resolve) => setTimeout(resolve, TRY_MS));
      answer = await this.grid.ask({ ask: "tried" });
    }
    button.disabled = false;
    this.say(answer.error ?? answer.told ?? NO_ANSWER);
    if (answer.tried) this.outcome.replaceChildren(...this.outcomes(answer));
  }

  outcomes({ tried, left_out }) {
    const made = left_out.map((text) => make("p", "", `Not made: ${text}.`));
    if (!tried.length) return made;
    const table = make("table");
    const line = (tag, texts) => {
      const row = make("tr");
      row.append(...texts.map((text) => make(tag, "", text)));
      return row;
    };
    const head = make("thead");
    head.append(line("th", ["check", "rule", "before", "after", "rows"]));
    const body = make("tbody");
    body.append(...tried.map((texts) => line("td", texts)));
    table.append(head, body);
    const around = make("div", "pm-rows");
    around.append(table);
    return [...made, around];
  }
}
