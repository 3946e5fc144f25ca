import { createRequire } from 'node:module';

/** The longest message, characters; that of an identity provider with many groups has some 50,000. */
export const XML_MAX = 200_000;
const DEPTH_MAX = 60;

/**
 * What no message of SAML or CAS needs: document types define entities that grow, or read files and addresses; comments
 * and processing instructions split a text for some readers and are not signed (canonical XML leaves comments out).
 */
const UNWANTED = /<!(?!\[CDATA\[)|<\?(?!xml[\s?])/i;

/** The parts of a DOM element that are used. */
export interface XmlElement {
  readonly localName: string;
  readonly namespaceURI: string | null;
  readonly textContent: string | null;
  readonly childNodes: ArrayLike<XmlElement & { readonly nodeType: number }>;
  hasAttribute(name: string): boolean;
  getAttribute(name: string): string | null;
}

/** The reader of `@node-saml/node-saml`. Its own types would bring those of browsers into every file of the server. */
interface Reader {
  DOMParser: new (options: { errorHandler: Record<'warning' | 'error' | 'fatalError', () => never> }) => {
    parseFromString(text: string, type: 'text/xml'): { documentElement: XmlElement | null };
  };
}
/** Loaded with the first message. */
const reader = (): Reader => createRequire(import.meta.url)('@xmldom/xmldom') as Reader;

const ELEMENT = 1;

/** The elements directly inside an element. */
export const elementsIn = ({ childNodes }: XmlElement): XmlElement[] =>
  Array.from(childNodes).filter(({ nodeType }) => nodeType === ELEMENT);

/** Those of a namespace and name. */
export const childrenOf = (element: XmlElement, namespace: string, name: string): XmlElement[] =>
  elementsIn(element).filter(({ namespaceURI, localName }) => namespaceURI === namespace && localName === name);

/** The first of these; undefined if there is none. */
export const childOf = (element: XmlElement | undefined, namespace: string, name: string): XmlElement | undefined =>
  element && childrenOf(element, namespace, name)[0];

export const textOf = (element: XmlElement | undefined): string => (element?.textContent ?? '').trim();

/** Undefined if there is no such attribute. */
export const attributeOf = (element: XmlElement | undefined, name: string): string | undefined =>
  element?.hasAttribute(name) ? (element.getAttribute(name) ?? undefined) : undefined;

/** The elements of each level, the root first. */
function* levelsOf(root: XmlElement): Generator<XmlElement[]> {
  for (let level = [root]; level.length > 0; level = level.flatMap((element) => elementsIn(element))) yield level;
}

/** An element and all inside it. */
export const allElements = (root: XmlElement): XmlElement[] => [...levelsOf(root)].flat();

/**
 * Reads XML that others sent.
 *
 * @throws Error if it is too long or nested too deeply, is not well-formed, or has a document type, comments or
 *   processing instructions
 */
export function parseXml(text: string): XmlElement {
  if (text.length > XML_MAX) throw new Error('The XML is too long.');
  if (UNWANTED.test(text)) throw new Error('The XML has a document type, comments or processing instructions.');
  const fail = (): never => {
    throw new Error('The XML is not well-formed.');
  };
  const parser = new (reader().DOMParser)({ errorHandler: { warning: fail, error: fail, fatalError: fail } });
  const { documentElement: root } = parser.parseFromString(text, 'text/xml');
  if (!root) throw new Error('The XML has no element.');
  // The readers after this one go down by recursion.
  if ([...levelsOf(root)].length > DEPTH_MAX) throw new Error('The XML is nested too deeply.');
  return root;
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** A text for an element or an attribute. */
export const escapeXml = (text: string): string => text.replaceAll(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter);
