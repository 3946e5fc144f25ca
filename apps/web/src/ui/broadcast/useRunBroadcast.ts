import type { Broadcast, BroadcastAction } from '@rmeet/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { useT } from './texts.ts';

/** The first part of the key of every query of broadcasts. */
export const BROADCASTS_KEY = 'broadcasts';

type Run = Pick<Broadcast, 'id' | 'subject' | 'source'>;

/** Starts, pauses, continues and ends a broadcast; the end is confirmed first, because it is for good. */
export function useRunBroadcast(): (action: BroadcastAction, broadcast: Run) => void {
  const t = useT();
  const common = useTexts('common');
  const client = useQueryClient();
  const running = useMutation({
    mutationFn: ({ id, action }: { id: string; action: BroadcastAction }) =>
      api.broadcasts.act({ params: { id }, body: { action } }),
    onSuccess: (_detail, { action }) => toast('success', () => t(`run.done.${action}`)),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: [BROADCASTS_KEY] });
      await client.invalidateQueries({ queryKey: ['activity'] });
    },
  });
  const run = async (action: BroadcastAction, { id, subject, source }: Run) => {
    const sure =
      action !== 'END' ||
      (await ask({
        title: t('run.end.title'),
        text: t(source === 'conference' ? 'run.end.text' : 'run.end.textOutside', { subject }),
        okText: t('run.action.END'),
        cancelText: common('cancel'),
        danger: true,
      }));
    if (sure) running.mutate({ id, action });
  };
  return (action, broadcast) => void run(action, broadcast);
}
