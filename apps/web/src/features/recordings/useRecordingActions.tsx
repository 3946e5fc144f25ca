import type { Recording } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { api } from '../../lib/api/index.ts';
import { loadChunk } from '../../lib/chunks.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast, type Question } from '../../lib/notify.ts';
import { useRefreshRecordings } from './queries.ts';
import { useT, type RecordingTexts } from './texts.ts';

const DIALOGS = {
  rename: lazy(() => loadChunk(async () => ({ default: (await import('./dialogs/RenameDialog.tsx')).RenameDialog }))),
  share: lazy(() => loadChunk(async () => ({ default: (await import('./dialogs/ShareDialog.tsx')).ShareDialog }))),
  grant: lazy(() => loadChunk(async () => ({ default: (await import('./dialogs/GrantDialog.tsx')).GrantDialog }))),
  save: lazy(() => loadChunk(async () => ({ default: (await import('./dialogs/SaveDialog.tsx')).SaveDialog }))),
};
type DialogName = keyof typeof DIALOGS;

export type RecordingAction = DialogName | 'remove' | 'restore' | 'removeForGood';

const isDialog = (action: RecordingAction): action is DialogName => action in DIALOGS;

function questionOf(recordings: readonly Recording[], t: RecordingTexts, cancelText: string): Question {
  const [recording] = recordings;
  return {
    title: t('removeForGood.title'),
    text:
      recordings.length === 1
        ? t('removeForGood.one', { subject: recording?.subject ?? '' })
        : t('removeForGood.many', { count: recordings.length }),
    okText: t('action.removeForGood'),
    cancelText,
    danger: true,
  };
}

/** What can be done with recordings: by dialogs, or after a question. `dialogs` belongs into the page. */
export function useRecordingActions(onDone: () => void = () => undefined): {
  act: (action: RecordingAction, recordings: readonly Recording[]) => void;
  dialogs: ReactNode;
} {
  const t = useT();
  const common = useTexts('common');
  const refresh = useRefreshRecordings();
  const [open, setOpen] = useState<{ name: DialogName; recording: Recording } | null>(null);
  const change = useMutation({
    mutationFn: async ({ action, ids }: { action: RecordingAction; ids: string[] }) => {
      if (action === 'restore') return (await api.recordings.restore({ body: { ids } })).restored.length;
      const { removed } = await api.recordings.remove({ body: { ids, forGood: action === 'removeForGood' } });
      return removed.length;
    },
    onSettled: refresh,
  });
  const run = (action: Exclude<RecordingAction, DialogName>, ids: string[]) =>
    change.mutate(
      { action, ids },
      {
        onSuccess: (count) => {
          toast(
            'success',
            () => t(`done.${action}`, { count }),
            // What went to the bin comes back from there.
            action === 'remove' ? { label: () => t('action.undo'), run: () => run('restore', ids) } : undefined,
          );
          onDone();
        },
      },
    );

  const act = (action: RecordingAction, recordings: readonly Recording[]) => {
    const [recording] = recordings;
    if (recording === undefined) return;
    const ids = recordings.map(({ id }) => id);
    if (isDialog(action)) setOpen({ name: action, recording });
    else if (action === 'removeForGood') void removeIfSure(recordings, ids);
    else run(action, ids);
  };
  const removeIfSure = async (recordings: readonly Recording[], ids: string[]) => {
    if (await ask(questionOf(recordings, t, common('cancel')))) run('removeForGood', ids);
  };

  const Open = open === null ? null : DIALOGS[open.name];
  return {
    act,
    dialogs: Open && open && (
      <Suspense fallback={null}>
        <Open recording={open.recording} onClose={() => setOpen(null)} />
      </Suspense>
    ),
  };
}
