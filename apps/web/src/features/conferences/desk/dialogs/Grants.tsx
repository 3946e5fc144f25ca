import { useQuery } from '@tanstack/react-query';
import { api } from '../../../../lib/api/index.ts';
import { GrantEditor } from '../../../../ui/grants/GrantEditor.tsx';
import { ErrorState, Loading } from '../../../../ui/states.tsx';
import { ThemeProvider } from '../../../../ui/ThemeProvider.tsx';
import { useDesk } from '../context.ts';

/** Who may replace the host of this meeting. Accounts only: people are searched among the tenant's users. */
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
