import { assistant, ASSISTANT_ANSWER_WITHIN, createClient } from '@rmeet/contract';
import { asUser } from './asUser.ts';
import { createSend } from './send.ts';

/** The calls of the assistant, for those that wait for a language model. */
export const assistantApiWithTimeout = createClient(
  assistant,
  createSend({ ...asUser, timeout: ASSISTANT_ANSWER_WITHIN }),
);
