export { AddressForbidden, hostOf, isInside, publicLookup } from './addresses.ts';
export { AnswerTooLong, callOutside, isNamedIn, type OutboundAnswer } from './request.ts';
