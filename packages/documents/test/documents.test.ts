import { describe, expect, test } from 'vitest';
import * as Y from 'yjs';
import {
  applyChange,
  ChangeRefused,
  COMMENTS,
  CONTENT,
  differenceOf,
  isSafeLink,
  openDocument,
  readComments,
  readDocument,
  textOf,
  writeDocument,
  type DocumentNode,
} from '../src/index.ts';

const alice = { userId: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f01', name: 'Alice', at: new Date('2026-11-20T08:00:00Z') };
const bob = { userId: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f02', name: 'Bob', at: new Date('2026-11-20T09:00:00Z') };
const fileId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f31';

const text = (value: string, ...marks: DocumentNode['marks'] & object): DocumentNode => ({
  type: 'text',
  text: value,
  ...(marks.length > 0 && { marks }),
});
const paragraph = (...content: DocumentNode[]): DocumentNode => ({ type: 'paragraph', content });
const docOf = (...content: DocumentNode[]): DocumentNode => ({ type: 'doc', content });

/** What a server has after a client has sent this content. */
function received(content: DocumentNode): { doc: Y.Doc; correction: Uint8Array | null } {
  const client = openDocument([]);
  writeDocument(client, content);
  const doc = new Y.Doc();
  return { doc, correction: applyChange(doc, Y.encodeStateAsUpdate(client), alice)?.correction ?? null };
}

describe('a document', () => {
  test('is read as it was written', () => {
    const content = docOf(
      { type: 'heading', attrs: { level: 2 }, content: [text('纪要 Minutes')] },
      paragraph(
        text('Plain '),
        text('bold', { type: 'bold', attrs: {} }),
        text(' link', { type: 'link', attrs: { href: 'https://example.org' } }),
      ),
      { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(text('One'))] }] },
      {
        type: 'taskList',
        content: [
          {
            type: 'taskItem',
            attrs: { checked: true, person: 'Bob', personId: bob.userId, due: '2026-12-01' },
            content: [paragraph(text('Call'))],
          },
        ],
      },
      {
        type: 'table',
        content: [
          {
            type: 'tableRow',
            content: [{ type: 'tableHeader', attrs: { colspan: 2, rowspan: 1 }, content: [paragraph(text('Head'))] }],
          },
        ],
      },
      { type: 'picture', attrs: { fileId, alt: 'Plan' } },
      { type: 'horizontalRule' },
    );
    const { doc, correction } = received(content);
    expect(correction).toBeNull();
    expect(readDocument(doc)).toEqual(content);
    expect(textOf(content)).toBe('纪要 Minutes\nPlain bold link\nOne\nCall\nHead\n');
  });

  test('keeps only what its schema has', () => {
    const wrong = [
      { type: 'script', content: [text('alert(1)')] },
      paragraph(text('Click', { type: 'link', attrs: { href: 'javascript:alert(1)' } })),
      paragraph(text('Mail', { type: 'link', attrs: { href: 'https://example.org', onclick: 'alert(1)' } })),
      paragraph(text('Style', { type: 'style' as never, attrs: { css: 'x' } })),
      { type: 'picture', attrs: { fileId: 'data:image/png;base64,xx' } },
      { type: 'picture', attrs: { fileId, src: 'https://tracker.example.org/x.png' } },
      { type: 'heading', attrs: { level: 7, onclick: 'x' }, content: [text('Head')] },
      { type: 'bulletList', content: [paragraph(text('No item'))] },
      { type: 'listItem', content: [paragraph(text('No list'))] },
    ] as DocumentNode[];
    const { doc, correction } = received(docOf(...wrong));
    expect(correction).not.toBeNull();
    expect(readDocument(doc)).toEqual(
      docOf(
        paragraph(text('Click')),
        paragraph(text('Mail')),
        paragraph(text('Style')),
        { type: 'picture', attrs: { fileId } },
        { type: 'heading', content: [text('Head')] },
        { type: 'bulletList' },
      ),
    );
    const raw = JSON.stringify(doc.getXmlFragment(CONTENT).toJSON());
    expect(raw).not.toMatch(/script|onclick|tracker|data:/);
  });

  test('limits how deep lists are in each other', () => {
    let content = paragraph(text('Deep'));
    for (let i = 0; i < 40; i++) content = { type: 'bulletList', content: [{ type: 'listItem', content: [content] }] };
    expect(JSON.stringify(readDocument(received(docOf(content)).doc)).split('bulletList').length).toBeLessThan(15);
  });

  test('takes a change that is cleaned at every place alike', () => {
    const server = new Y.Doc();
    const client = openDocument([]);
    writeDocument(client, docOf(paragraph(text('Good')), { type: 'script' as never }));
    const change = applyChange(server, Y.encodeStateAsUpdate(client), alice);
    Y.applyUpdate(client, change?.correction ?? new Uint8Array());
    expect(readDocument(client)).toEqual(readDocument(server));
    expect(client.getXmlFragment(CONTENT).length).toBe(1);
  });

  test.each(['', '\0', '%%%%', 'a'.repeat(200)])('refuses what is no change: %j', (bytes) => {
    expect(() => applyChange(new Y.Doc(), new TextEncoder().encode(bytes), alice)).toThrow(ChangeRefused);
  });

  test('refuses a change without those that it builds on', () => {
    const client = openDocument([]);
    writeDocument(client, docOf(paragraph(text('First'))));
    const before = Y.encodeStateVector(client);
    writeDocument(client, docOf(paragraph(text('Second'))));
    const later = Y.encodeStateAsUpdate(client, before);
    expect(() => applyChange(new Y.Doc(), later, alice)).toThrow('incomplete');
  });
});

describe('comments', () => {
  const id = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f41';
  function say(server: Y.Doc, author: typeof alice, change: (comments: Y.Map<unknown>) => void): void {
    const client = openDocument([Y.encodeStateAsUpdate(server)]);
    const before = Y.encodeStateVector(client);
    change(client.getMap(COMMENTS));
    applyChange(server, Y.encodeStateAsUpdate(client, before), author);
  }

  test('get the name of the person who writes them', () => {
    const server = new Y.Doc();
    say(server, alice, (comments) => comments.set(id, { id, userId: bob.userId, name: 'Bob', text: 'Really?' }));
    expect(readComments(server)).toEqual([
      { id, userId: alice.userId, name: 'Alice', at: '2026-11-20T08:00:00.000Z', text: 'Really?', resolved: false },
    ]);
  });

  test('can be resolved by others, but neither changed nor deleted', () => {
    const server = new Y.Doc();
    say(server, alice, (comments) => comments.set(id, { text: 'Really?' }));
    say(server, bob, (comments) => comments.set(id, { text: 'Forged', resolved: true }));
    expect(readComments(server)).toMatchObject([{ name: 'Alice', text: 'Really?', resolved: true }]);
    say(server, bob, (comments) => comments.delete(id));
    expect(readComments(server)).toHaveLength(1);
    say(server, alice, (comments) => comments.delete(id));
    expect(readComments(server)).toEqual([]);
  });
});

describe('answers to comments', () => {
  const [first, second] = ['0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f41', '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f42'] as const;
  const third = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f43';
  function change(server: Y.Doc, author: typeof alice, work: (comments: Y.Map<unknown>) => void): void {
    const client = openDocument([Y.encodeStateAsUpdate(server)]);
    const before = Y.encodeStateVector(client);
    work(client.getMap(COMMENTS));
    applyChange(server, Y.encodeStateAsUpdate(client, before), author);
  }
  const asked = (): Y.Doc => {
    const server = new Y.Doc();
    change(server, alice, (comments) => comments.set(first, { text: 'Really?' }));
    change(server, bob, (comments) => comments.set(second, { text: 'Yes.', to: first }));
    return server;
  };

  test('have their author, and stay with what they answer', () => {
    const server = asked();
    change(server, alice, (comments) => comments.set(second, { text: 'No.', to: third }));
    expect(readComments(server).find(({ id }) => id === second)).toMatchObject({
      name: 'Bob',
      text: 'Yes.',
      to: first,
    });
  });

  test.each([
    ['an unknown comment', third],
    ['an answer', second],
    ['no id', 7],
  ])('are refused to %s', (_, to) => {
    const server = asked();
    change(server, alice, (comments) => comments.set(third, { text: 'Well', to }));
    expect(readComments(server)).toHaveLength(2);
  });

  test('go with the comment', () => {
    const server = asked();
    change(server, alice, (comments) => comments.delete(first));
    expect(readComments(server)).toEqual([]);
  });
});

describe('differences', () => {
  test('are shown block by block', () => {
    const [one, two, three] = ['One', 'Two', 'Three'].map((value) => paragraph(text(value))) as [
      DocumentNode,
      DocumentNode,
      DocumentNode,
    ];
    expect(differenceOf(docOf(one, two), docOf(one, three, two)).map(({ kind, text: t }) => `${kind} ${t}`)).toEqual([
      'same One',
      'added Three',
      'same Two',
    ]);
    expect(differenceOf(docOf(one, two, three), docOf(three)).map(({ kind }) => kind)).toEqual([
      'removed',
      'removed',
      'same',
    ]);
    expect(differenceOf(docOf(), docOf())).toEqual([]);
  });
});

test.each([
  ['https://example.org/a?b', true],
  ['mailto:alice@example.org', true],
  ['http://example.org', false],
  ['javascript:alert(1)', false],
  ['JaVaScript:alert(1)', false],
  ['data:text/html,x', false],
  ['/relative', false],
  ['', false],
])('the link %s is safe: %s', (href, isSafe) => {
  expect(isSafeLink(href)).toBe(isSafe);
});
