import type { ManualLive } from '@rmeet/contract';
import { lazy, Suspense, useState } from 'react';
import { useAddressParams } from '../../../lib/addressParams.ts';
import { loadChunk } from '../../../lib/chunks.ts';
import { useListState } from '../../../lib/listState.ts';
import { ask, toast } from '../../../lib/notify.ts';
import { useProfile } from '../../../lib/profile.ts';
import { useMediaQuery } from '../../../lib/useMediaQuery.ts';
import type { RowAction } from '../../../ui/admin/RowActions.tsx';
import { Button } from '../../../ui/Button.tsx';
import { useBroadcastColumns } from '../list/broadcastColumns.tsx';
import { BroadcastsPage } from '../list/BroadcastsPage.tsx';
import { listShape, PHONE_LIST } from '../list/listShape.ts';
import { useBroadcastActions } from '../list/useBroadcastActions.tsx';
import { useRowActions } from '../list/useRowActions.ts';
import { ArrivalState } from './Arrival.tsx';
import { useCancelManual, useManualList } from './queries.ts';
import { useT } from './texts.ts';
import './manual.css';

const ManualDrawer = lazy(() =>
  loadChunk(async () => ({ default: (await import('./ManualDrawer.tsx')).ManualDrawer })),
);
const IngestDialog = lazy(() =>
  loadChunk(async () => ({ default: (await import('./IngestDialog.tsx')).IngestDialog })),
);

const EDIT = 'edit';
const NEW = 'new';

/** Which form is open, in the URL; the last one stays while it closes. `opening` changes at each opening. */
function useForm() {
  const [params, setParams] = useAddressParams();
  const id = params.get(EDIT);
  const [last, setLast] = useState({ id, isOpen: id !== null, opening: 0 });
  if ((id !== null) !== last.isOpen || (id !== null && id !== last.id))
    setLast({ id: id ?? last.id, isOpen: id !== null, opening: last.opening + (id === null ? 0 : 1) });
  const show = (next: string | null) =>
    setParams((now) => {
      const changed = new URLSearchParams(now);
      if (next === null) changed.delete(EDIT);
      else changed.set(EDIT, next);
      return changed;
    });
  return { ...last, edit: (next: string) => show(next), close: () => show(null) };
}

/** The live broadcasts of outside streams that the user may see. All of its state is in the URL. */
export function ManualLivePage() {
  const t = useT();
  const [state, setState] = useListState(listShape);
  const list = useManualList(state);
  const isPhone = useMediaQuery(PHONE_LIST);
  const mayBook = useProfile()?.flags.enableBookLive === 1;
  const columns = useBroadcastColumns<ManualLive>(isPhone, {
    renderState: (row) => <ArrivalState broadcast={row} />,
    stateWidth: 220,
    column: {
      key: 'source',
      label: t('column.source'),
      width: 120,
      render: ({ source }) => t(source === 'play' ? 'source.play' : 'source.push'),
    },
  });
  const form = useForm();
  const [ingest, setIngest] = useState<ManualLive | null>(null);
  const { act, dialogs } = useBroadcastActions();
  const actionsOf = useManualActions({ act, mayBook, onIngest: setIngest, onEdit: form.edit });
  return (
    <BroadcastsPage
      name="manual-lives"
      title={t('title')}
      search={t('search')}
      emptyHint={t(mayBook ? 'emptyHint' : 'emptyHintLocked')}
      columns={columns}
      list={list}
      state={state}
      onState={setState}
      isPhone={isPhone}
      actionsOf={actionsOf}
      actions={
        mayBook && (
          <Button kind="primary" data-testid="manual-new" onClick={() => form.edit(NEW)}>
            {t('new')}
          </Button>
        )
      }
    >
      {dialogs}
      <Suspense fallback={null}>
        {form.id !== null && (
          <ManualDrawer
            key={form.opening}
            id={form.id}
            open={form.isOpen}
            onClose={form.close}
            onBooked={(booked) => {
              form.close();
              // What comes next is to set up the encoder.
              if (booked.source === 'push') setIngest(booked);
            }}
          />
        )}
        {ingest !== null && <IngestDialog broadcast={ingest} mayBook={mayBook} onClose={() => setIngest(null)} />}
      </Suspense>
    </BroadcastsPage>
  );
}

interface ManualActions {
  act: ReturnType<typeof useBroadcastActions>['act'];
  mayBook: boolean;
  onIngest: (broadcast: ManualLive) => void;
  onEdit: (id: string) => void;
}

/** What can be done with a broadcast; the first one is its button. */
function useManualActions({ act, mayBook, onIngest, onEdit }: ManualActions) {
  const t = useT();
  const cancel = useCancel();
  const actionsOf = useRowActions(act);
  return (row: ManualLive): RowAction[] => {
    const { state, source, can } = row;
    const { runs, isNext, watch, others } = actionsOf(row);
    const isOver = state === 'ended';
    const ingest: RowAction = {
      key: 'ingest',
      label: t(source === 'play' ? 'action.arrival' : 'action.ingest'),
      run: () => onIngest(row),
      allowed: can.manage && !isOver,
    };
    const change = can.manage && mayBook;
    const edit = { key: 'edit', label: t('action.edit'), run: () => onEdit(row.id), allowed: change && !isOver };
    const remove: RowAction = {
      key: 'cancel',
      label: t('action.cancel'),
      run: () => void cancel(row),
      danger: true,
      allowed: can.manage && state === 'scheduled',
    };
    if (isNext) return [...runs, ingest, watch, edit, ...others, remove];
    // Before the start, an encoder has to be set up.
    if (state === 'scheduled') return [ingest, watch, ...runs, edit, ...others, remove];
    return [watch, ...runs, ingest, edit, ...others];
  };
}

/** Asks first: viewers may have the link. */
function useCancel() {
  const t = useT();
  const cancelling = useCancelManual();
  return async ({ id, subject }: ManualLive) => {
    const sure = await ask({
      title: t('cancel.title'),
      text: t('cancel.text', { subject }),
      okText: t('action.cancel'),
      cancelText: t('cancel.keep'),
      danger: true,
    });
    if (sure) cancelling.mutate(id, { onSuccess: () => toast('success', () => t('cancel.done')) });
  };
}
