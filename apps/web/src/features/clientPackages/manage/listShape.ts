import { CLIENT_PACKAGE_NAMES } from '@rmeet/contract';
import { oneOf, type ListState } from '../../../lib/listState.ts';

export const PACKAGE_STATES = ['published', 'withdrawn'] as const;

export const listShape = {
  filters: {
    type: oneOf(['', ...CLIENT_PACKAGE_NAMES], ''),
    state: oneOf(['', ...PACKAGE_STATES], ''),
  },
  // The server orders them by type and version.
  sorts: ['type'],
} as const;

export type PackageListState = ListState<typeof listShape>;
