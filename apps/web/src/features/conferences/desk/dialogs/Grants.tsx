import { useQuery } from '@tanstack/react-query';
import { api } from '../../../../lib/api/index.ts';
import { GrantEditor } from '../../../../ui/grants/GrantEditor.tsx';
import { ErrorState, Loading } from '../../../../ui/states.tsx';
import { ThemeProvider } from '../../../../ui/ThemeProvider.tsx';
import { useDesk } from '../context.ts';

/** Who stands in for the host of this meeting. For accounts: people are looked up among the tenant's. */
export function Grants() {
  const { meetId } = useDesk();
  const found = useQuery({
    queryKey: ['meetings', 'detail', meetId],
    queryFn: () => api.meetings.detail({ params: { id: meetId } }),
    meta: { quiet: 'unloaded' },
  });
  if (found.isPending) return <Loading />;
  if (found.data === undefined) return <ErrorState retry={() => void found.refetch()} />;
  const { host, granted } = found.data;
  return (
    <ThemeProvider>
      <GrantEditor meetId={meetId} hostId={host.userId} granted={granted} />
    </ThemeProvider>
  );
}
