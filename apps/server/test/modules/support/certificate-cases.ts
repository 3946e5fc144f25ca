import { newId } from '../../../src/platform/db/index.ts';
import { all, type Case, type Expected } from './case-setting.ts';

/** Administrators only: the right to settings alone does not suffice. */
const byAdmin: Expected = { ...all, delegate: 'FORBIDDEN' };
const unknownToAdmin: Expected = { others: 'NOT_FOUND', delegate: 'FORBIDDEN' };
const unreadableByAdmin: Expected = { others: 'CERT_UNREADABLE', delegate: 'FORBIDDEN' };

const unknownAnswer = { challenge: 'unknown', secret: 'unknown' };
const unknownId = () => ({ params: { id: newId() } });

export const certificateCases: Record<string, Case> = {
  'certs.getCodeData': { expected: all, args: () => ({ query: { tenantUri: 'north' } }) },
  'certs.verifyToToken': { expected: { others: 'CERT_CHALLENGE_INVALID' }, args: () => ({ body: unknownAnswer }) },
  'certs.own': { expected: all, args: () => ({}) },
  'certs.startBind': { expected: all, args: () => ({}) },
  'certs.bind': { expected: { others: 'CERT_CHALLENGE_INVALID' }, args: () => ({ body: unknownAnswer }) },
  'certs.unbind': { expected: { others: 'NOT_FOUND' }, args: unknownId },
  'certificateAuthorities.list': { expected: all, args: () => ({}) },
  'certificateAuthorities.add': { expected: unreadableByAdmin, args: () => ({ body: { certificate: 'none' } }) },
  'certificateAuthorities.remove': { expected: unknownToAdmin, args: unknownId },
  'certificateAuthorities.setRules': { expected: byAdmin, args: () => ({ body: { match: 'bound' } }) },
  'certificateAuthorities.setList': { expected: unknownToAdmin, args: () => ({ ...unknownId(), body: {} }) },
  'certificateAuthorities.bindings': { expected: all, args: () => ({ query: {} }) },
  'certificateAuthorities.bind': {
    expected: unreadableByAdmin,
    args: () => ({ body: { account: 'alice', certificate: 'none' } }),
  },
  'certificateAuthorities.unbind': { expected: unknownToAdmin, args: unknownId },
};
