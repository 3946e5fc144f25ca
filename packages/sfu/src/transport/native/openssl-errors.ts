import { address, memory, reserve } from './arena.ts';
import { bindings } from './bindings.ts';

const TEXT_BYTES = 256;
const MAX_ERRORS = 8;
const textAt = reserve(TEXT_BYTES);

/** Takes the errors from OpenSSL's queue of this thread. Node's own TLS uses it too: clear it before a call. */
export function opensslErrors(): string {
  const { ssl } = bindings();
  const found: string[] = [];
  for (let code = ssl.ERR_get_error(); code !== 0 && found.length < MAX_ERRORS; code = ssl.ERR_get_error()) {
    ssl.ERR_error_string_n(code, address(textAt, TEXT_BYTES), TEXT_BYTES);
    found.push(memory.toString('latin1', textAt, memory.indexOf(0, textAt)));
  }
  return found.length === 0 ? 'no reason given' : found.join('; ');
}

/**
 * @returns `result`
 * @throws Error with OpenSSL's reasons if it is 0, which stands for failure or for a null pointer
 */
export function opensslResult(what: string, result: number): number {
  if (result === 0) throw new Error(`${what}: ${opensslErrors()}`);
  return result;
}
