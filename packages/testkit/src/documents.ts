import type { DocumentPerson } from '@rmeet/contract';
import { CONTENT, DocumentConnection, readDocument, textOf, type ConnectionState } from '@rmeet/documents';
import * as Y from 'yjs';

/** A person who edits a document, without a page. */
export interface Writer {
  doc: Y.Doc;
  connection: DocumentConnection;
  /** The others who have the document open. */
  readonly people: readonly DocumentPerson[];
  /** Resolves when the condition holds, which is looked at after every change; rejects after 30 s. */
  until(holds: (state: ConnectionState) => boolean): Promise<void>;
  close(): void;
}

interface Where {
  origin: string;
  token: string;
  documentId: string;
}

const WITHIN = 30_000;

/** Opens a document at a server. */
export function openWriter({ origin, token, documentId }: Where): Writer {
  const doc = new Y.Doc();
  const waiting = new Set<() => void>();
  const look = (): void => waiting.forEach((one) => one());
  let people: readonly DocumentPerson[] = [];
  const connection = new DocumentConnection({
    origin,
    token,
    documentId,
    doc,
    onChange: look,
    onPeople: (present) => {
      people = present;
      look();
    },
    retryAfter: () => 20,
  });
  doc.on('update', look);
  return {
    doc,
    connection,
    get people() {
      return people;
    },
    async until(holds) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const check = (): void => {
        if (holds(connection.state)) resolve();
      };
      const timer = setTimeout(() => reject(new Error(`Not within time: ${JSON.stringify(connection.state)}`)), WITHIN);
      waiting.add(check);
      check();
      try {
        await promise;
      } finally {
        clearTimeout(timer);
        waiting.delete(check);
      }
    },
    close: () => connection.close(),
  };
}

/** All words have this length, so that their borders are known. */
const WORD = 8;

interface Written {
  added: Set<string>;
  removed: Set<string>;
}

/** Makes one edit: writes a word, removes one, makes one bold, or begins a paragraph. */
function edit(doc: Y.Doc, word: string, random: () => number, written: Written): void {
  const fragment = doc.getXmlFragment(CONTENT);
  const kind = random();
  const texts = fragment.toArray().flatMap((one) => (one instanceof Y.XmlElement ? one.toArray() : []));
  const text = texts[Math.floor(random() * texts.length)];
  if (!(text instanceof Y.XmlText) || kind < 0.03) {
    const paragraph = new Y.XmlElement('paragraph');
    paragraph.insert(0, [new Y.XmlText(word)]);
    fragment.insert(Math.floor(random() * (fragment.length + 1)), [paragraph]);
    written.added.add(word);
    return;
  }
  const words = text.length / WORD;
  const at = Math.floor(random() * (words + 1)) * WORD;
  if (kind < 0.15 && at < text.length) {
    written.removed.add(readWord(text, at));
    text.delete(at, WORD);
  } else if (kind < 0.25 && at < text.length) text.format(at, WORD, { bold: {} });
  else {
    text.insert(at, word);
    written.added.add(word);
  }
}

const readWord = (text: Y.XmlText, at: number): string =>
  (text.toDelta() as { insert: string }[])
    .map(({ insert }) => insert)
    .join('')
    .slice(at, at + WORD);

/** Resolves when the condition holds, which is looked at after each change of any writer; rejects after 30 s. */
async function whenChanged(writers: readonly Writer[], holds: () => boolean): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const check = (): void => {
    if (holds()) resolve();
  };
  const timer = setTimeout(() => reject(new Error('The texts do not become equal.')), WITHIN);
  for (const { doc } of writers) doc.on('update', check);
  check();
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    for (const { doc } of writers) doc.off('update', check);
  }
}

/** What became of a document that several edited at once. */
export interface Together {
  /** The content of each writer as JSON; equal if all is well. */
  contents: string[];
  /** Words that no one removed and that are missing, or are there twice. */
  lost: string[];
  words: number;
}

/**
 * Several people make random edits at once, and lose their connections again and again.
 *
 * @param random numbers from 0 to 1
 */
export async function editTogether(
  writers: readonly Writer[],
  { edits, dropEvery, random }: { edits: number; dropEvery: number; random: () => number },
): Promise<Together> {
  const written: Written = { added: new Set(), removed: new Set() };
  for (let i = 0; i < edits; i++) {
    const who = Math.floor(random() * writers.length);
    const writer = writers[who];
    if (!writer) continue;
    edit(writer.doc, `${who}${i.toString(36).padStart(WORD - 2, '0')}.`, random, written);
    if (i % dropEvery === dropEvery - 1) {
      writer.connection.reconnect();
      // Half of the connections are lost again before they are open.
      if (random() < 0.5) await writer.until(({ phase }) => phase === 'open');
    }
    // Messages arrive between edits.
    if (i % 5 === 0) await new Promise((resolve) => void setImmediate(resolve));
  }
  for (const writer of writers) await writer.until(({ isSaved, phase }) => isSaved && phase === 'open');
  const contentOf = ({ doc }: Writer): string => JSON.stringify(readDocument(doc));
  await whenChanged(writers, () => new Set(writers.map(contentOf)).size === 1);
  const [first] = writers;
  const found = first ? (textOf(readDocument(first.doc)).match(/\d[\da-z]{6}\./g) ?? []) : [];
  const counts = Map.groupBy(found, (word) => word);
  const lost = [...written.added].filter((word) => !written.removed.has(word) && counts.get(word)?.length !== 1);
  return { contents: writers.map(contentOf), lost, words: found.length };
}
