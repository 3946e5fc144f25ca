import * as Y from 'yjs';
import {
  COMMENTS,
  CONTENT,
  isMark,
  markOf,
  specOf,
  type DocumentComment,
  type DocumentMark,
  type DocumentNode,
  type MarkType,
  type NodeType,
} from './model.ts';

interface Piece {
  insert: unknown;
  attributes?: Record<string, unknown>;
}

function piecesOf(text: Y.XmlText): DocumentNode[] {
  return (text.toDelta() as Piece[]).flatMap(({ insert, attributes = {} }) => {
    if (typeof insert !== 'string' || insert === '') return [];
    const marks: DocumentMark[] = Object.entries(attributes)
      .filter(([format, value]) => isMark(format, value))
      .map(([format, value]) => ({ type: markOf(format) as MarkType, attrs: value as Record<string, unknown> }));
    return [{ type: 'text', text: insert, ...(marks.length > 0 && { marks }) } satisfies DocumentNode];
  });
}

/** The texts of a type; neighbours with the same marks are one. */
function readText(text: Y.XmlText): DocumentNode[] {
  const texts: DocumentNode[] = [];
  for (const piece of piecesOf(text)) {
    const last = texts.at(-1);
    if (last && JSON.stringify(last.marks) === JSON.stringify(piece.marks)) last.text = `${last.text}${piece.text}`;
    else texts.push(piece);
  }
  return texts;
}

function readChildren(parent: Y.XmlFragment): DocumentNode[] {
  return parent.toArray().flatMap((child) => {
    if (child instanceof Y.XmlText) return readText(child);
    return child instanceof Y.XmlElement && specOf(child.nodeName) ? [readElement(child)] : [];
  });
}

function readElement(element: Y.XmlElement): DocumentNode {
  const attrs = element.getAttributes() as Record<string, unknown>;
  const content = readChildren(element);
  return {
    type: element.nodeName as NodeType,
    ...(Object.keys(attrs).length > 0 && { attrs }),
    ...(content.length > 0 && { content }),
  };
}

/** The content of a Yjs document as JSON; what its schema does not know is left out. */
export function readDocument(doc: Y.Doc): DocumentNode {
  return { type: 'doc', content: readChildren(doc.getXmlFragment(CONTENT)) };
}

/** The comments of a document, the oldest first; those without a time, which the server puts in, come last. */
export function readComments(doc: Y.Doc): DocumentComment[] {
  return [...doc.getMap<DocumentComment>(COMMENTS).values()].toSorted((a, b) =>
    (a.at || '~') < (b.at || '~') ? -1 : 1,
  );
}

/** A Yjs document from updates. */
export function openDocument(updates: readonly Uint8Array[]): Y.Doc {
  const doc = new Y.Doc();
  doc.transact(() => {
    for (const update of updates) Y.applyUpdate(doc, update, 'stored');
  });
  return doc;
}
