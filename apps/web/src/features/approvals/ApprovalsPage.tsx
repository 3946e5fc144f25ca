import { APPROVAL_STATES, type ApprovalRequest } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { isFiltered, useListState } from '../../lib/listState.ts';
import { toast } from '../../lib/notify.ts';
import { useLastPage } from '../../lib/useLastPage.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { FilterSelect } from '../../ui/admin/FilterSelect.tsx';
import { ListPager } from '../../ui/admin/ListPager.tsx';
import { ListToolbar } from '../../ui/admin/ListToolbar.tsx';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { ApprovalCard } from './ApprovalCard.tsx';
import { ApprovalDrawer } from './ApprovalDrawer.tsx';
import { listShape } from './listShape.ts';
import { useApprovalList, useDecide, useLiveApprovals } from './queries.ts';
import './texts.ts';
import './approvals.css';

/** The queue of meetings that need approval. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of one page
export function ApprovalsPage() {
  const t = useTexts('approvals');
  const admin = useTexts('admin');
  const [state, setState] = useListState(listShape);
  const list = useApprovalList(state);
  useLiveApprovals();
  const opened = useDrawer<{ meetId: string; refuses: boolean }>();

  const rows = list.data?.records ?? [];
  useLastPage(list, state, setState);

  const { decide, isBusy } = useDecisions(rows, opened);
  const shown = rows.find(({ meetId }) => meetId === opened.last?.value.meetId);

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
      {list.isError && !list.data && <ErrorState retry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {list.data && rows.length === 0 && (
        <EmptyState
          picture="list"
          {...(isFiltered(listShape, state)
            ? { title: admin('noMatch'), hint: admin('noMatchHint') }
            : { title: t('empty'), hint: t('emptyHint') })}
        />
      )}
      {rows.length > 0 && (
        <>
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
          <ListPager data={list.data} state={state} onState={setState} />
        </>
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

type Opened = ReturnType<typeof useDrawer<{ meetId: string; refuses: boolean }>>;

/** Approves and refuses the requests of a page. */
function useDecisions(rows: readonly ApprovalRequest[], opened: Opened) {
  const t = useTexts('approvals');
  const deciding = useDecide();

  /**
   * The decision removes its buttons: the focus moves to the next waiting request, or stays at the meeting if there is
   * none.
   */
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
  return { decide, isBusy };
}

function decidedWords(
  { subject, series }: ApprovalRequest,
  approve: boolean,
  t: ReturnType<typeof useTexts<'approvals'>>,
): string {
  if (series === null || series.meetings === 1) return t(approve ? 'approved' : 'refused', { subject });
  return t(approve ? 'approvedAll' : 'refusedAll', { subject, meetings: t('meetings', { count: series.meetings }) });
}
