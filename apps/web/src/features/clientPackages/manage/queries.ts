import { CLIENT_PACKAGE_TYPES } from '@rmeet/contract';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';
import { withoutEmpty } from '../../../lib/listState.ts';
import { useListQuery } from '../../../lib/useListQuery.ts';
import type { PackageListState } from './listShape.ts';

const KEY = 'client-packages';

export function usePackageList(state: PackageListState) {
  const { keyword, type, current, size } = state;
  return useListQuery([KEY, 'list', state], () =>
    api.clientPackages.query({
      query: {
        keyword,
        current,
        size,
        ...(type === '' ? {} : { type: CLIENT_PACKAGE_TYPES[type] }),
        ...withoutEmpty({ state: state.state }),
      },
    }),
  );
}

export function useRefreshPackages(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [KEY] });
}
