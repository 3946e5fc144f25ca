/** Messages between the server's thread and the thread PGlite runs in. */
type Request =
  | { kind: 'query'; sql: string; params: unknown[]; rowMode: 'array' | 'object' | undefined }
  | { kind: 'exec'; sql: string }
  | { kind: 'listen'; channel: string }
  | { kind: 'snapshot'; folder: string }
  | { kind: 'close' };
export type WorkerRequest = Request & { id: number; inTransaction: boolean };
export type WorkerCall = Request & { inTransaction: boolean };

export interface QueryResult {
  rows: unknown[];
  fields: { name: string; dataTypeID: number }[];
  affectedRows?: number | undefined;
}

export type WorkerAnswer =
  | { ready: true }
  | { id: number; result: unknown }
  | { id: number; error: { message: string } & Record<string, string> }
  | { channel: string; payload: string }
  | { fatal: string };
