import { createClient, terminals } from '@rmeet/contract';
import { asUser } from './asUser.ts';
import { createSend, type SendOptions } from './send.ts';

/** The calls of the terminal registry, with a separate timeout and an abort signal: its import takes long. */
export function terminalsApiWithTimeout(patience: Required<Pick<SendOptions, 'timeout' | 'signal'>>) {
  return createClient(terminals, createSend({ ...asUser, ...patience }));
}
