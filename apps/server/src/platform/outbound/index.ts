export { AddressForbidden, hostOf, isInside, publicLookup } from './addresses.ts';
export { beginTls, connectOutside } from './connect.ts';
export { AnswerTooLong, callOutside, isNamedIn, type OutboundAnswer } from './request.ts';
