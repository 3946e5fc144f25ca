/**
 * One timer for all paced tasks of the process: a hundred participants with three timers each would wake the process
 * more often than they send. Tasks are kept in slots of 5 ms.
 */
const SLOT_MS = 5;
const SLOTS = 512;

/** Runs when due; returns its next due time (ms of `performance.now()`), or undefined when it is finished. */
export type Task = (now: number) => number | undefined;

interface Entry {
  due: number;
  run: Task;
  cancelled: boolean;
}

const slots: Entry[][] = Array.from({ length: SLOTS }, () => []);
let reached = 0;
let waiting = 0;
let timer: NodeJS.Timeout | undefined;
/** The slot that the timer waits for. */
let awaited = 0;

/** Returns the slot. */
function place(entry: Entry): number {
  const slot = Math.max(Math.ceil(entry.due / SLOT_MS), reached + 1);
  slots[slot % SLOTS]!.push(entry);
  return slot;
}

/** The timer waits for the first slot with a task: a process with few of them sleeps meanwhile. */
function wait(slot: number): void {
  awaited = slot;
  clearTimeout(timer);
  timer = setTimeout(turn, Math.max(1, Math.ceil(slot * SLOT_MS - performance.now())));
}

function waitForNext(): void {
  let slot = reached + 1;
  while (slots[slot % SLOTS]!.length === 0 && slot < reached + SLOTS) slot += 1;
  wait(slot);
}

function turn(): void {
  const now = performance.now();
  const target = Math.floor(now / SLOT_MS);
  // After a pause longer than one round, every slot is visited once: all due tasks run.
  if (target - reached > SLOTS) reached = target - SLOTS;
  while (reached < target) {
    reached++;
    const slot = slots[reached % SLOTS]!;
    if (slot.length === 0) continue;
    slots[reached % SLOTS] = [];
    for (const entry of slot) visit(entry, now);
  }
  if (waiting > 0) waitForNext();
}

function visit(entry: Entry, now: number): void {
  if (entry.cancelled) return;
  if (entry.due > now + SLOT_MS) {
    place(entry);
    return;
  }
  const next = entry.run(now);
  if (next === undefined) cancel(entry);
  else {
    entry.due = next;
    place(entry);
  }
}

function cancel(entry: Entry): void {
  if (entry.cancelled) return;
  entry.cancelled = true;
  if (--waiting === 0) clearTimeout(timer);
}

/** Runs a task from `due` on. Returns a function that ends it. */
export function schedule(due: number, run: Task): () => void {
  const entry = { due, run, cancelled: false };
  const isFirst = waiting++ === 0;
  if (isFirst) reached = Math.floor(performance.now() / SLOT_MS);
  const slot = place(entry);
  if (isFirst || slot < awaited) wait(slot);
  return () => cancel(entry);
}
