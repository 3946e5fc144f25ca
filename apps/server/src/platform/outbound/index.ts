export { AddressForbidden, hostOf, isInside } from './addresses.ts';
export { AnswerTooLong, callOutside, isNamedIn, type OutboundAnswer } from './request.ts';
