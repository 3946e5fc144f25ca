import { APPROVAL_STATES, TOTAL_COUNT_LIMIT, type ApprovalRequest } from '@rmeet/contract';
import { useEffect, useEffectEvent } from 'react';
import { language, useTexts } from '../../lib/i18n/index.ts';
import { PAGE_SIZES, useListState } from '../../lib/listState.ts';
import { toast } from '../../lib/notify.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { FilterSelect } from '../../ui/admin/FilterSelect.tsx';
import { ListToolbar } from '../../ui/admin/ListToolbar.tsx';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { Pager } from '../../ui/Pager.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { ApprovalCard } from './ApprovalCard.tsx';
import { ApprovalDrawer } from './ApprovalDrawer.tsx';
import { listShape } from './listShape.ts';
import { useApprovalList, useDecide, useLiveApprovals } from './queries.ts';
import './texts.ts';
import './approvals.css';

/** The queue of meetings that need approval. */
export function ApprovalsPage() {
  const t = useTexts('approvals');
  const admin = useTexts('admin');
  const [state, setState] = useListState(listShape);
  const list = useApprovalList(state);
  useLiveApprovals();
  const deciding = useDecide();
  const opened = useDrawer<{ meetId: string; refuses: boolean }>();

  const rows = list.data?.records ?? [];
  const total = list.data?.total ?? 0;
  const last = Math.max(1, Math.ceil(total / state.size));
  // The page went away with what was on it.
  const isBeyond = list.isSuccess && !list.isPlaceholderData && state.current > last;
  const goBack = useEffectEvent(() => setState({ current: last }));
  useEffect(() => {
    if (isBeyond) goBack();
  }, [isBeyond]);

  /** The buttons go with the decision, so the focus goes on to the next that waits, else stays at the meeting. */
  const focusAfter = ({ meetId }: ApprovalRequest) => {
    const at = rows.findIndex((row) => row.meetId === meetId);
    const next = [...rows.slice(at + 1), ...rows.slice(0, at)].find((row) => row.state === 'waiting');
    document.getElementById(`approval-${next?.meetId ?? meetId}`)?.focus();
  };

  const decide = (request: ApprovalRequest, approve: boolean, note: string) =>
    deciding.mutate(
      { request, approve, note },
      {
        onSuccess: () => {
          toast('success', () => decidedWords(request, approve, t));
          if (opened.open) opened.hide();
          else focusAfter(request);
        },
      },
    );
  const isBusy = ({ meetId }: ApprovalRequest): boolean =>
    deciding.isPending && deciding.variables.request.meetId === meetId;
  const shown = rows.find(({ meetId }) => meetId === opened.last?.value.meetId);

  const content = () => {
    if (list.isError && !list.data) return <ErrorState retry={() => void list.refetch()} />;
    if (list.isPending) return <Loading />;
    if (rows.length === 0) {
      const isFiltered = state.keyword !== '' || state.state !== '';
      return isFiltered ? (
        <EmptyState picture="list" title={admin('noMatch')} hint={admin('noMatchHint')} />
      ) : (
        <EmptyState picture="list" title={t('empty')} hint={t('emptyHint')} />
      );
    }
    return (
      <ul className="approvals" aria-label={t('title')} aria-busy={list.isPlaceholderData}>
        {rows.map((request) => (
          <ApprovalCard
            key={request.meetId}
            request={request}
            isBusy={isBusy(request)}
            onOpen={() => opened.show({ meetId: request.meetId, refuses: false })}
            onApprove={() => decide(request, true, '')}
            onRefuse={() => opened.show({ meetId: request.meetId, refuses: true })}
          />
        ))}
      </ul>
    );
  };

  return (
    <AdminPage title={t('title')}>
      <ListToolbar keyword={state.keyword} onSearch={(keyword) => setState({ keyword })} placeholder={t('search')}>
        <FilterSelect
          label={t('fact.state')}
          value={state.state}
          options={APPROVAL_STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
          onChange={(next) => setState({ state: next })}
          testId="filter-state"
        />
      </ListToolbar>
      {content()}
      {rows.length > 0 && (
        <Pager
          current={state.current}
          size={state.size}
          sizes={PAGE_SIZES}
          total={total}
          totalText={admin(list.data?.totalIsLowerBound === true ? 'totalAtLeast' : 'total', {
            total: Math.min(total, TOTAL_COUNT_LIMIT).toLocaleString(language()),
          })}
          onChange={setState}
        />
      )}
      {opened.last && shown && (
        <ApprovalDrawer
          key={`approval-${opened.last.opening}`}
          request={shown}
          open={opened.open}
          isBusy={isBusy(shown)}
          refuses={opened.last.value.refuses}
          onClose={opened.hide}
          onDecide={(approve, note) => decide(shown, approve, note)}
        />
      )}
    </AdminPage>
  );
}

function decidedWords(
  { subject, series }: ApprovalRequest,
  approve: boolean,
  t: ReturnType<typeof useTexts<'approvals'>>,
): string {
  if (series === null || series.meetings === 1) return t(approve ? 'approved' : 'refused', { subject });
  return t(approve ? 'approvedAll' : 'refusedAll', { subject, meetings: t('meetings', { count: series.meetings }) });
}
