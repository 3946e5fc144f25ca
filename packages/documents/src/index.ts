/**
 * Rich documents: their schema, and reading, writing, cleaning and comparing them as Yjs documents; and the connection
 * of an editor to the server.
 */
export { applyChange, ChangeRefused, type Author } from './clean.ts';
export { DocumentConnection, type ConnectionState } from './connection.ts';
export { differenceOf, type DifferenceLine } from './difference.ts';
export {
  attributeOf,
  COMMENTS,
  CONTENT,
  DOCUMENT_LIMITS,
  isSafeLink,
  nodesOf,
  textOf,
  type DocumentComment,
  type DocumentMark,
  type DocumentNode,
} from './model.ts';
export { openDocument, readComments, readDocument } from './read.ts';
export { writeDocument } from './write.ts';
