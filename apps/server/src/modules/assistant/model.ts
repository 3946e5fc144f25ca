import { ASSISTANT_MODEL_WITHIN, type contract, type Data } from '@rmeet/contract';
import { z } from 'zod';
import { AddressForbidden, callOutside, type OutboundAnswer } from '../../platform/outbound/index.ts';
import type { AssistantHosts } from './hosts.ts';
import { messagesOf, readReply, type Material, type ModelAnswer } from './prompt.ts';

/** A language model with the chat completions of OpenAI's API. */
export interface Model {
  /** The part of the address before `/chat/completions`. */
  url: string;
  name: string;
  /** Empty: it needs none. */
  key: string;
}

type TestResult = Data<typeof contract.assistant.testModel>;

/** The model did not answer. Its message has neither the key nor what was asked. */
export class ModelFailed extends Error {
  override readonly name = 'ModelFailed';
  readonly fault: NonNullable<TestResult['fault']>;
  readonly status: number | null;

  constructor(fault: NonNullable<TestResult['fault']>, status: number | null, cause?: unknown) {
    super(`The language model did not answer (${fault}${status === null ? '' : `, status ${status}`}).`, { cause });
    this.fault = fault;
    this.status = status;
  }
}

const ANSWER_BYTES = 512 * 1024;
const MOST_TOKENS = 1_200;
const TEST_TOKENS = 16;

const completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) });

function contentOf({ status, text }: OutboundAnswer): string {
  if (status === 401 || status === 403) throw new ModelFailed('key', status);
  if (status !== 200) throw new ModelFailed('status', status);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new ModelFailed('answer', status, error);
  }
  const content = completion.safeParse(body).data?.choices[0]?.message.content;
  if (content === undefined) throw new ModelFailed('answer', status);
  return content;
}

/** Calls language models of tenants. */
export function createModels(hosts: AssistantHosts) {
  /** @throws ModelFailed */
  async function complete(model: Model, messages: readonly object[], tokens: number): Promise<string> {
    const url = `${model.url}/chat/completions`;
    // The configuration may have changed since the address was stored.
    if (!hosts.allowsModel(url)) throw new ModelFailed('refused', null);
    const answer = await callOutside({
      url,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        ...(model.key === '' ? {} : { Authorization: `Bearer ${model.key}` }),
      },
      body: JSON.stringify({ model: model.name, messages, max_tokens: tokens, temperature: 0, stream: false }),
      isTrusted: hosts.isTrusted(url),
      answerBytes: ANSWER_BYTES,
      within: ASSISTANT_MODEL_WITHIN,
    }).catch((error: unknown) => {
      throw new ModelFailed(error instanceof AddressForbidden ? 'refused' : 'unreachable', null, error);
    });
    return contentOf(answer);
  }

  return {
    /** @throws ModelFailed */
    ask: async (model: Model, material: Material): Promise<ModelAnswer> =>
      readReply(await complete(model, messagesOf(material), MOST_TOKENS)),

    /** Asks for one word. `clock`: ms. */
    async test(model: Model, clock: () => number): Promise<TestResult> {
      const from = clock();
      const ms = (): number => Math.round(clock() - from);
      try {
        await complete(model, [{ role: 'user', content: 'Answer with the word OK.' }], TEST_TOKENS);
        return { fault: null, status: 200, ms: ms() };
      } catch (error) {
        if (error instanceof ModelFailed) return { fault: error.fault, status: error.status, ms: ms() };
        throw error;
      }
    },
  };
}

export type Models = ReturnType<typeof createModels>;
