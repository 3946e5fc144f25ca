import * as Y from 'yjs';
import { CONTENT, type DocumentNode } from './model.ts';

function textTypeOf(nodes: readonly DocumentNode[]): Y.XmlText {
  const text = new Y.XmlText();
  text.applyDelta(
    nodes.map(({ text: insert = '', marks = [] }) => ({
      insert,
      attributes: Object.fromEntries(marks.map(({ type, attrs = {} }) => [type, attrs])),
    })),
  );
  return text;
}

/** Yjs types for nodes; neighbouring texts share one. */
function typesOf(nodes: readonly DocumentNode[]): (Y.XmlElement | Y.XmlText)[] {
  const types: (Y.XmlElement | Y.XmlText)[] = [];
  let texts: DocumentNode[] = [];
  const flush = (): void => {
    if (texts.length > 0) types.push(textTypeOf(texts));
    texts = [];
  };
  for (const node of nodes) {
    if (node.type === 'text') texts.push(node);
    else {
      flush();
      types.push(elementOf(node));
    }
  }
  flush();
  return types;
}

function elementOf({ type, attrs = {}, content = [] }: DocumentNode): Y.XmlElement {
  const element = new Y.XmlElement(type);
  for (const [name, value] of Object.entries(attrs))
    // Attributes may be of any JSON type, which the typing of Yjs does not say.
    if (value !== null && value !== undefined) element.setAttribute(name, value as string);
  element.insert(0, typesOf(content));
  return element;
}

/** Replaces the content of a document, in one transaction. */
export function writeDocument(doc: Y.Doc, { content = [] }: DocumentNode): void {
  doc.transact(() => {
    const fragment = doc.getXmlFragment(CONTENT);
    fragment.delete(0, fragment.length);
    fragment.insert(0, typesOf(content));
  });
}
