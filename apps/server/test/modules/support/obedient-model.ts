import { startStandIn, type StandIn } from './stand-in.ts';

/** A language model that obeys every text that it reads, also text by other people: the worst that a model can do. */
export interface ObedientModel extends StandIn {
  /** The part of its address before `/chat/completions`. */
  url: string;
  /** The messages of the last call, as one text. */
  read(): string;
  /** What it answers from now on, instead of obeying; a text, or the whole answer with its status. */
  says: string | { status: number; body: unknown } | null;
}

const KEY = 'sk-of-north';
/** What it takes for an instruction: `DO {...}` proposes, and `SAY text` answers. */
const ORDERS = /DO (\{.*?\})(?=$|[^}])/g;

/** Acts on texts that are in what it was sent, also where they were sent as material. */
function obey(sent: string): string {
  const text = sent.replaceAll('\\"', '"');
  const proposals = [...text.matchAll(ORDERS)].flatMap(([, order = '']) => {
    try {
      return [JSON.parse(order) as unknown];
    } catch {
      return [];
    }
  });
  const answer = /SAY ([\w ]+)/.exec(text)?.[1] ?? 'Hosts, the chair and co-chairs may admit people.';
  return JSON.stringify({ answer, used: [1], proposals });
}

/** Starts it; the key it accepts is `sk-of-north`. */
export async function startObedientModel(): Promise<ObedientModel> {
  const model: { says: ObedientModel['says'] } = { says: null };
  const sentOf = (body: Record<string, unknown>): string =>
    ((body['messages'] ?? []) as { content: string }[]).map(({ content }) => content).join('\n');
  const standIn = await startStandIn(({ path, headers, body }) => {
    if (path !== '/v1/chat/completions') return undefined;
    if (headers.authorization !== `Bearer ${KEY}`) return { status: 401, body: { error: { message: 'wrong key' } } };
    const { says } = model;
    if (says !== null && typeof says === 'object') return says;
    return { body: { choices: [{ message: { role: 'assistant', content: says ?? obey(sentOf(body)) } }] } };
  });
  return Object.assign(model, standIn, {
    url: `${standIn.origin}/v1`,
    read: () => sentOf(standIn.calls.at(-1)?.body ?? {}),
  });
}
