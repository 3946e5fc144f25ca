import * as Y from 'yjs';
import { COMMENTS, CONTENT, DOCUMENT_LIMITS, isMark, specOf, type DocumentComment } from './model.ts';

// oxlint-disable-next-line no-underscore-dangle -- the library names it so
const isDeleted = ({ _item }: { _item: Y.Item | null }): boolean => _item?.deleted === true;

/** Who makes a change, and when. */
export interface Author {
  userId: string;
  name: string;
  at: Date;
}

/** A change that a document cannot take: `malformed`, or `incomplete`, without changes that it builds on. */
export class ChangeRefused extends Error {
  override readonly name = 'ChangeRefused';
  readonly reason: 'malformed' | 'incomplete';

  constructor(reason: 'malformed' | 'incomplete', options?: ErrorOptions) {
    super(`The change of a document is ${reason}.`, options);
    this.reason = reason;
  }
}

interface Piece {
  insert: unknown;
  attributes?: Record<string, unknown>;
}

const nameOf = (type: Y.XmlFragment): string => (type instanceof Y.XmlElement ? type.nodeName : 'doc');

function cleanText(text: Y.XmlText, allowsMarks: boolean): void {
  let at = 0;
  for (const { insert, attributes = {} } of text.toDelta() as Piece[]) {
    if (typeof insert !== 'string') {
      text.delete(at, 1);
      continue;
    }
    const wrong = Object.entries(attributes).filter(([format, value]) => !allowsMarks || !isMark(format, value));
    if (wrong.length > 0) text.format(at, insert.length, Object.fromEntries(wrong.map(([format]) => [format, null])));
    at += insert.length;
  }
}

function cleanAttributes(element: Y.XmlElement): void {
  const checks = specOf(element.nodeName)?.attrs ?? {};
  for (const [name, value] of Object.entries(element.getAttributes() as Record<string, unknown>))
    if (!checks[name]?.(value)) element.removeAttribute(name);
}

/** A picture without its file shows nothing, and a heading without a level is none. */
const lacks = (element: Y.XmlElement): boolean =>
  element.nodeName === 'picture' && element.getAttribute('fileId') === undefined;

function depthOf(type: Y.XmlFragment): number {
  let depth = 0;
  for (let one = type.parent; one; one = (one as Y.XmlFragment).parent) depth += 1;
  return depth;
}

/** Takes out what is not in the schema: below a type, or with `isNew` false only at the type itself. */
function cleanChildren(parent: Y.XmlFragment, depth: number, isDeep: boolean): void {
  const children = specOf(nameOf(parent))?.children ?? [];
  parent.toArray().forEach((child, at, all) => {
    // Those behind it move when one is deleted: counted from the end.
    const place = parent.length - (all.length - at);
    if (child instanceof Y.XmlText) {
      if (!children.includes('text')) parent.delete(place, 1);
      else if (isDeep) cleanText(child, nameOf(parent) !== 'codeBlock');
      return;
    }
    const isAllowed =
      child instanceof Y.XmlElement && children.includes(child.nodeName) && depth < DOCUMENT_LIMITS.depth * 2;
    if (!isAllowed) return parent.delete(place, 1);
    if (!isDeep) return;
    cleanAttributes(child);
    if (lacks(child)) parent.delete(place, 1);
    else cleanChildren(child, depth + 1, true);
  });
}

/** Whether a new entry may be kept: it has a text, and what it answers is a comment that is no answer itself. */
function isComment(comments: Y.Map<unknown>, { text, to }: Partial<DocumentComment>): boolean {
  if (typeof text !== 'string' || text.trim() === '' || comments.size > DOCUMENT_LIMITS.comments) return false;
  if (to === undefined) return true;
  const answered = typeof to === 'string' ? (comments.get(to) as Partial<DocumentComment> | undefined) : undefined;
  return answered !== undefined && answered.to === undefined;
}

/** A comment as it is kept: who made it and what it answers never change. */
function keptComment(
  before: DocumentComment | undefined,
  now: Partial<DocumentComment>,
  { id, author: { userId, name, at } }: { id: string; author: Author },
): DocumentComment {
  const isOwn = before === undefined || before.userId === userId;
  const text = typeof now.text === 'string' ? now.text.slice(0, DOCUMENT_LIMITS.comment) : '';
  return {
    ...(before ?? { id, userId, name, at: at.toISOString(), ...(now.to !== undefined && { to: now.to }) }),
    text: before && !isOwn ? before.text : text,
    resolved: now.resolved === true,
  };
}

/** Puts the author of the change into new comments, and undoes changes of what others have said. */
function cleanComments(
  comments: Y.Map<unknown>,
  changes: ReadonlyMap<string, { oldValue: unknown }>,
  author: Author,
): void {
  if (changes.size === 0) return;
  for (const [id, { oldValue }] of changes) {
    const before = oldValue as DocumentComment | undefined;
    const now = comments.get(id) as Partial<DocumentComment> | undefined;
    if (now === undefined) {
      if (before !== undefined && before.userId !== author.userId) comments.set(id, before);
    } else if (before === undefined && !isComment(comments, now)) comments.delete(id);
    else comments.set(id, keptComment(before, now, { id, author }));
  }
  // Answers go with the comment.
  for (const [id, comment] of comments.entries() as IterableIterator<[string, DocumentComment]>)
    if (comment.to !== undefined && !comments.has(comment.to)) comments.delete(id);
}

/** What an update has changed, collected while it is applied. */
class Changes {
  readonly touched = new Set<Y.XmlFragment | Y.XmlText>();
  readonly added = new Set<Y.XmlFragment | Y.XmlText>();
  comments = new Map<string, { oldValue: unknown }>();

  readonly content = (events: Y.YEvent<Y.XmlFragment>[]): void => {
    for (const event of events) {
      this.touched.add(event.target);
      for (const item of event.changes.added)
        for (const type of item.content.getContent() as unknown[])
          if (type instanceof Y.XmlFragment || type instanceof Y.XmlText) this.added.add(type);
    }
  };

  readonly comment = (event: Y.YMapEvent<unknown>): void => {
    this.comments = new Map(event.changes.keys);
  };

  clean(doc: Y.Doc, author: Author): void {
    for (const type of this.touched) {
      if (isDeleted(type)) continue;
      if (type instanceof Y.XmlText) cleanText(type, nameOf(type.parent as Y.XmlFragment) !== 'codeBlock');
      else {
        if (type instanceof Y.XmlElement) cleanAttributes(type);
        cleanChildren(type, depthOf(type), false);
      }
    }
    for (const type of this.added) {
      if (isDeleted(type)) continue;
      if (type instanceof Y.XmlText) cleanText(type, nameOf(type.parent as Y.XmlFragment) !== 'codeBlock');
      else {
        if (type instanceof Y.XmlElement) cleanAttributes(type);
        if (type instanceof Y.XmlElement && lacks(type)) {
          const parent = type.parent as Y.XmlFragment;
          parent.delete(parent.toArray().indexOf(type), 1);
        } else cleanChildren(type, depthOf(type), true);
      }
    }
    cleanComments(doc.getMap(COMMENTS), this.comments, author);
  }
}

/**
 * Applies a change that came from a client, and takes out what the schema does not allow and comments in the names of
 * others. A refused change may have been applied in part: the document must be opened again then.
 *
 * @returns the change to store, and what the sender lacks of it, if anything
 * @throws ChangeRefused
 */
export function applyChange(
  doc: Y.Doc,
  update: Uint8Array,
  author: Author,
): { stored: Uint8Array; correction: Uint8Array | null } | null {
  const updates: Uint8Array[] = [];
  const changes = new Changes();
  const collect = (one: Uint8Array): void => void updates.push(one);
  const [fragment, comments] = [doc.getXmlFragment(CONTENT), doc.getMap<unknown>(COMMENTS)];
  doc.on('update', collect);
  fragment.observeDeep(changes.content as Parameters<typeof fragment.observeDeep>[0]);
  comments.observe(changes.comment);
  try {
    try {
      Y.decodeUpdate(update);
      Y.applyUpdate(doc, update, 'client');
    } catch (error) {
      throw new ChangeRefused('malformed', { cause: error });
    } finally {
      fragment.unobserveDeep(changes.content as Parameters<typeof fragment.observeDeep>[0]);
      comments.unobserve(changes.comment);
    }
    if (doc.store.pendingStructs !== null || doc.store.pendingDs !== null) throw new ChangeRefused('incomplete');
    doc.transact(() => changes.clean(doc, author), 'clean');
    if (updates.length === 0) return null;
    const stored = Y.mergeUpdates(updates);
    // Yjs also makes changes of its own: it removes marks of formats that have no effect.
    return { stored, correction: updates.length > 1 ? stored : null };
  } finally {
    doc.off('update', collect);
  }
}
