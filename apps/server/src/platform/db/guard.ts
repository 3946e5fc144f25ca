import { AsyncLocalStorage } from 'node:async_hooks';

interface Scope {
  open: boolean;
}
const current = new AsyncLocalStorage<Scope>();

/** A connection of the outer database was requested inside a transaction, which would deadlock. */
export class NestedTransaction extends Error {
  constructor() {
    super('The database was used inside a running transaction. Pass the transaction on instead of opening another.');
    this.name = 'NestedTransaction';
  }
}

/** Throws NestedTransaction when called from inside `insideTransaction`. */
export function refuseNested(): void {
  if (current.getStore()?.open) throw new NestedTransaction();
}

/** Runs `work`; everything it calls is known to be inside a transaction. */
export async function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  const scope: Scope = { open: true };
  try {
    return await current.run(scope, work);
  } finally {
    scope.open = false;
  }
}
