// The page's side of the hidden widget: insert cells, and make the parts of cards live that the kernel still knows.
// `model.widget_manager.context` is the open document; every other front end lacks it and is left alone.

const PART = "data-pm-part";
const SCAN_MS = 50; // a page that is being drawn changes a hundred times
const MOST_SAID = 120; // characters of a card's first line

const contextOf = (model) => model.widget_manager?.context ?? null;
const documentOf = (model) => contextOf(model)?.model?.sharedModel ?? null;

// Several notebooks may be open in one page, each with a kernel of its own. A tab's title names its path.
function standsIn(element, context) {
  const panel = element.closest(".jp-NotebookPanel");
  const tab = panel && document.querySelector(`[data-id="${panel.id}"]`);
  return !tab || tab.title.split("\n").some((line) => line.endsWith(` ${context.path}`));
}

// Keys that are pressed in what we show are meant for it: JupyterLab would take letters for commands (x cuts a cell), and
// Notebook 7 arrows and Enter, too. Both look at the element with the focus before all that it stands in.
function keepKeys(event) {
  if (!event.target.closest?.(".pandas-magic, .pm-eda-panel")) return;
  const isHeld = event.ctrlKey || event.metaKey || event.altKey;
  const isOurs = isHeld ? event.key === "c" : !(event.shiftKey && event.key === "Enter");
  if (isOurs) event.target.dataset.lmSuppressShortcuts = "true";
  else delete event.target.dataset.lmSuppressShortcuts;
}

// A card is one thing to a screen reader, called by its first line.
function nameCards(panel) {
  for (const card of panel.querySelectorAll(".jp-OutputArea .pandas-magic:not([role])")) {
    card.setAttribute("role", "group");
    const line = card.querySelector("h3, p, summary")?.textContent ?? "";
    card.setAttribute("aria-label", line.replace(/\s+/g, " ").trim().slice(0, MOST_SAID));
  }
}

// Progress is drawn anew in its place, which no screen reader follows: its last words go to one that they listen to.
function announceProgress(panel) {
  const said = [...panel.querySelectorAll(".jp-OutputArea .pm-stage")].at(-1)?.textContent ?? "";
  let told = panel.querySelector(":scope > .pm-announced");
  if (!told) {
    if (!said) return;
    told = make("div", "pm-announced");
    told.setAttribute("role", "status");
    told.style.cssText = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);";
    panel.append(told);
  }
  if (told.textContent !== said) told.textContent = said;
}

class Bridge {
  constructor(model) {
    this.model = model;
    this.waiting = new Map(); // request -> what to do with its answer
    this.asked = new WeakSet();
    this.undo = []; // gives each element its static form back
    this.requests = 0;
  }

  get notebook() {
    return documentOf(this.model);
  }

  // The kernel's answer, later; its bytes come as `buffers`.
  ask(key, message) {
    this.requests += 1;
    const request = `${this.model.model_id ?? ""}${this.requests}`;
    this.model.send({ kind: "ask", key, request, ...message });
    return new Promise((resolve) => this.waiting.set(request, resolve));
  }

  answered(message, buffers) {
    const resolve = this.waiting.get(message.request);
    this.waiting.delete(message.request);
    if (resolve) resolve({ ...message, buffers });
  }

  scan() {
    for (const panel of document.querySelectorAll(".jp-NotebookPanel")) {
      if (!standsIn(panel, contextOf(this.model))) continue;
      foldRepeated(panel);
      nameCards(panel);
      announceProgress(panel);
    }
    for (const element of document.querySelectorAll(`[${PART}]:not([data-pm-live])`)) {
      if (this.asked.has(element) || !standsIn(element, contextOf(this.model))) continue;
      this.asked.add(element);
      const key = element.getAttribute(PART);
      this.ask(key, { ask: "open" }).then((answer) => this.open(element, key, answer));
    }
  }

  open(element, key, answer) {
    const make = { question: makeQuestion, rows: makeGrid, board: makeBoard, panel: makePanel }[answer.part];
    if (!make || element.dataset.pmLive) return; // another kernel's card, or one of an earlier kernel
    element.dataset.pmLive = "yes";
    const undo = make(element, answer, { bridge: this, ask: (message) => this.ask(key, message) });
    this.undo.push(() => {
      undo();
      delete element.dataset.pmLive;
    });
  }
}

function initialize({ model }) {
  const seen = new Set(); // requests are sent again until they are acknowledged
  const bridge = new Bridge(model);
  const onMessage = (message, buffers) => {
    const notebook = documentOf(model);
    if (message.kind === "answer") bridge.answered(message, buffers);
    if (message.kind !== "insert" || !notebook) return;
    try {
      const done = seen.has(message.request) ? {} : insert(notebook, message);
      if (done === null) return;
      seen.add(message.request);
      model.send({ kind: "done", request: message.request, ...done });
    } catch (error) {
      model.send({ kind: "done", request: message.request, error: String(error) });
    }
  };
  let due = 0;
  const scanSoon = () => {
    due ||= setTimeout(() => {
      due = 0;
      bridge.scan();
    }, SCAN_MS);
  };
  const watcher = new MutationObserver(scanSoon);
  model.on("msg:custom", onMessage);
  model.send({ kind: "ready", can_insert: documentOf(model) !== null });
  if (documentOf(model)) {
    watcher.observe(document.body, { childList: true, subtree: true });
    window.addEventListener("keydown", keepKeys, true); // before the page's own, which listen at the document
    scanSoon();
  }
  return () => {
    watcher.disconnect();
    window.removeEventListener("keydown", keepKeys, true);
    clearTimeout(due);
    model.off("msg:custom", onMessage);
    for (const undo of bridge.undo) undo();
  };
}

export default { initialize };
