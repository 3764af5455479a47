// What can be done with the checks that are listed, or with the one that is open: buttons, what they ask for, undo.

const POLL_MS = 400;
const NO_ANSWER = "This list is not live any more; run %checks again.";

const inDays = (days) => new Date(Date.now() + days * 864e5).toISOString().slice(0, 10);

const NEEDS = {
  snooze: {
    go: "Snooze",
    fields: () => [
      { name: "until", label: "until the day", type: "date", value: inDays(7) },
      { name: "reason", label: "since", placeholder: "why, for whoever reads it later" },
    ],
  },
  except: {
    go: "Except",
    fields: ({ key }) => [
      { name: "key", label: "rows of", value: key, placeholder: "order_id=17" },
      { name: "reason", label: "since", placeholder: "why, for whoever reads it later" },
      { name: "until", label: "until the day (or for good)", type: "date" },
    ],
  },
  quarantine: { go: "Write files", fields: () => [{ name: "folder", label: "good and bad rows into", value: "set_aside" }] },
  export: { go: "Export", fields: ({ exports }) => [{ name: "to", label: "for", options: exports }] },
  delete: { go: "Delete", fields: () => [] },
};

class BoardDeeds {
  constructor(board, exports) {
    this.board = board;
    this.exports = exports;
    this.bar = make("div", "pm-grid-bar");
    this.bar.setAttribute("role", "toolbar");
    this.bar.setAttribute("aria-label", "With the checks that are listed");
    this.slot = make("div");
    this.told = make("p", "pm-told");
    this.told.setAttribute("role", "status");
  }

  // The buttons for all that is listed.
  listed({ chosen, proposed }) {
    const all = chosen === 1 ? "1 check" : `${chosen.toLocaleString("en")} checks`;
    const button = (text, tip, action, disabled = chosen === 0) => {
      const made = makeButton(text, tip, () => this.begin(action, {}, this.slot, all));
      made.disabled = disabled;
      return made;
    };
    this.running ??= false;
    this.run = makeButton(`Run ${all}`, "Run the checks that are listed", () => this.start({}), "pm-action pm-first");
    this.run.disabled = chosen === 0 || this.running;
    this.halt = makeButton("Stop", "End after the check that is running", () => this.board.ask({ ask: "stop" }));
    this.halt.disabled = !this.running;
    this.bar.replaceChildren(
      this.run,
      this.halt,
      button(`Approve ${proposed.toLocaleString("en")}`, "Approve those listed that are proposed", "approve", !proposed),
      button("Snooze …", "Let the checks that are listed rest", "snooze"),
      button("Wake", "Let the checks that are listed run again", "wake"),
      button("Quarantine …", "Write good and bad rows of their tables into files", "quarantine"),
      button("Export …", "Write the checks that are listed for another tool", "export"),
      button("Delete …", "Delete the checks that are listed", "delete"),
      button("Share", "One page with all checks and their history, for people without a notebook", "share", false),
      makeButton("Reload", "Read the files again", () => this.board.refresh({ anew: true })),
    );
  }

  // The buttons for one check, and the place for what they ask.
  ofOne(check, { proposed, snoozed, key, error }, page) {
    if (error) return [];
    const bar = make("div", "pm-grid-bar");
    bar.setAttribute("role", "toolbar");
    bar.setAttribute("aria-label", `With ${check}`);
    const slot = make("div");
    const button = (text, tip, action) =>
      makeButton(text, tip, () => this.begin(action, { check }, slot, check, currentKey(page, key)));
    bar.append(makeButton("Run", "Run this check", () => this.start({ check }), "pm-action pm-first"));
    if (proposed) bar.append(button("Approve", "Its code was read and may run unwatched", "approve"));
    bar.append(
      snoozed ? button("Wake", "Let it run again", "wake") : button("Snooze …", "Let it rest until a day", "snooze"),
      button("Except …", "Let known rows break the rule", "except"),
      button("Quarantine …", "Write good and bad rows of its table into files", "quarantine"),
      button("Export …", "Write it for another tool", "export"),
      makeButton("Delete", "Delete it; this can be taken back", () => this.act("delete", { check }, {})),
    );
    return [bar, slot];
  }

  // Ask for what an action needs, or do it at once.
  begin(action, scope, slot, what, key = "") {
    const needed = NEEDS[action];
    if (!needed) return this.act(action, scope, {});
    const form = make("form", "pm-form");
    form.append(make("b", "", `${needed.go} ${what}`));
    for (const field of needed.fields({ key, exports: this.exports })) form.append(labelled(field));
    const go = make("button", "pm-action pm-first", needed.go);
    go.type = "submit";
    const away = () => slot.replaceChildren();
    form.append(go, makeButton("Cancel", "", away));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const fields = Object.fromEntries(new FormData(form));
      if (await this.act(action, scope, fields)) away();
    });
    form.addEventListener("keydown", (event) => {
      event.stopPropagation(); // Escape ends the form, and not what lies around it
      if (event.key === "Escape") away();
    });
    slot.replaceChildren(form);
    (form.querySelector("input, select") ?? go).focus();
  }

  async act(action, scope, fields) {
    return this.hear(await this.ask({ ask: "do", action, fields, ...scope }));
  }

  ask(message) {
    this.say("…");
    return this.board.ask({ choice: this.board.choice, ...message });
  }

  // Show what came of it, with the way back, and the list as it is now.
  hear(answer) {
    this.say(answer.error ?? answer.told ?? NO_ANSWER);
    if (answer.error || answer.told === undefined) return false;
    if (answer.undo) this.told.append(" ", makeButton("Undo", "Take this back", async () => this.hear(await this.ask({ ask: "undo" }))));
    if (answer.file) saveFile(answer.file, answer.buffers[0]);
    this.board.refresh();
    return true;
  }

  say(text) {
    this.told.textContent = text;
  }

  async start(scope) {
    let answer = await this.ask({ ask: "run", ...scope });
    if (answer.error) return this.say(answer.error);
    this.running = true;
    this.run.disabled = true;
    this.halt.disabled = false;
    while (answer.running) {
      this.say(answer.told);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      answer = await this.board.ask({ ask: "progress" });
    }
    this.running = false;
    this.say(answer.told ?? NO_ANSWER);
    await this.board.refresh();
  }
}

// The key of the row in which a person stands in the grid of failing rows, as an exception names it.
function currentKey(page, names) {
  const row = page.querySelector('.pm-grid tbody [tabindex="0"]')?.closest("tr");
  if (!row) return "";
  const heads = [...row.closest("table").tHead.rows[0].cells].map((cell) => cell.textContent.replace(/ [↑↓]$/, ""));
  return names
    .filter((name) => heads.includes(name))
    .map((name) => `${name}=${textOfData(row.cells[heads.indexOf(name)])}`)
    .join(", ");
}

// What stands in the data, also where it is shown rounded or corrected.
const textOfData = (cell) => cell.dataset.exact || cell.textContent;

function labelled({ name, label, type = "text", value = "", placeholder = "", options }) {
  const around = make("label", "", `${label} `);
  const input = make(options ? "select" : "input");
  if (options) for (const option of options) input.append(new Option(option, option));
  else Object.assign(input, { type, value, placeholder });
  input.name = name;
  around.append(input);
  return around;
}
