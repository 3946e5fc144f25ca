import { RECORDING_FILTERS, RECORDING_STATES, type FoundRecording } from '@rmeet/contract';
import { system } from '../../../lib/browser.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { isFiltered, useListState } from '../../../lib/listState.ts';
import { sizeWords } from '../../../lib/sizeWords.ts';
import { useMediaQuery } from '../../../lib/useMediaQuery.ts';
import { AdminPage } from '../../../ui/admin/AdminPage.tsx';
import { AdminTable } from '../../../ui/admin/AdminTable.tsx';
import { BulkActions } from '../../../ui/admin/BulkActions.tsx';
import { FilterSelect } from '../../../ui/admin/FilterSelect.tsx';
import { ListToolbar } from '../../../ui/admin/ListToolbar.tsx';
import { RowActions, type RowAction } from '../../../ui/admin/RowActions.tsx';
import { useSelection } from '../../../ui/admin/useSelection.ts';
import { Button } from '../../../ui/Button.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { Select } from '../../../ui/Select.tsx';
import { useRecordingList, useUsage } from '../queries.ts';
import { useT } from '../texts.ts';
import { useRecordingActions, type RecordingAction } from '../useRecordingActions.tsx';
import { listShape, RECORDED_TYPES, type RecordingsState } from './listShape.ts';
import { RangeFilter } from './RangeFilter.tsx';
import { useRecordingColumns } from './recordingColumns.tsx';
import './list.css';

/** The recordings that the user may see; in the manage app an administrator sees those of all. All is in the URL. */
export function RecordingsPage() {
  const t = useT();
  const admin = useTexts('admin');
  const [state, setState] = useListState(listShape);
  const list = useRecordingList(state);
  const isPhone = useMediaQuery('(max-width: 720px)');
  const columns = useRecordingColumns(isPhone);
  const { selected, selection, clear } = useSelection(list.data?.records);
  const { act, dialogs } = useRecordingActions(clear);
  const isBin = state.filter === 'bin';
  const isOff = useUsage().data?.enabled === false;
  const actions = useRowActions(act);
  return (
    <AdminPage title={t(system === 'manage' ? 'titleManage' : 'title')} actions={<Usage />}>
      <AdminTable
        name={isPhone ? 'recordings-phone' : 'recordings'}
        label={t('title')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={({ subject }) => subject}
        actions={{
          width: isPhone ? 88 : 112,
          render: (row) => <RowActions name={row.subject} actions={actions(row)} />,
        }}
        selection={{ ...selection, isDisabled: ({ can, state: of }) => !can.manage || of === 'recording' }}
        toolbar={<Filters state={state} onState={setState} isPhone={isPhone} />}
        bulk={
          <BulkActions count={selected.length} onClear={clear}>
            {isBin && (
              <Button data-testid="bulk-restore" onClick={() => act('restore', selected)}>
                {t('action.restore')}
              </Button>
            )}
            <Button
              kind={isBin ? 'danger' : 'plain'}
              data-testid="bulk-remove"
              onClick={() => act(isBin ? 'removeForGood' : 'remove', selected)}
            >
              {t(isBin ? 'action.removeForGood' : 'action.remove')}
            </Button>
          </BulkActions>
        }
        empty={
          isFiltered(listShape, state, ['filter'])
            ? { title: admin('noMatch'), hint: admin('noMatchHint') }
            : { title: t(`empty.${state.filter}`), hint: isOff && !isBin ? t('off') : t(`emptyHint.${state.filter}`) }
        }
      />
      {dialogs}
    </AdminPage>
  );
}

/** What can be done with a recording; the first one is its button. */
function useRowActions(act: (action: RecordingAction, recordings: readonly FoundRecording[]) => void) {
  const t = useT();
  return (row: FoundRecording): RowAction[] => {
    const { can, state, deletedAt, authResult } = row;
    const isReady = state === 'ready' && authResult;
    const action = (key: RecordingAction, allowed: boolean, danger = false): RowAction => ({
      key,
      label: t(`action.${key}`),
      run: () => act(key, [row]),
      allowed,
      danger,
    });
    if (deletedAt !== null) return [action('restore', can.manage), action('removeForGood', can.manage, true)];
    return [
      action('share', isReady && can.manage),
      action('save', isReady && can.download),
      action('grant', can.manage),
      action('rename', can.manage && state !== 'recording'),
      action('remove', can.manage && state !== 'recording', true),
    ];
  };
}

interface FiltersProps {
  state: RecordingsState;
  onState: (change: Partial<RecordingsState>) => void;
  isPhone: boolean;
}

function Filters({ state, onState, isPhone }: FiltersProps) {
  const t = useT();
  return (
    <>
      <Segments
        label={t('filters')}
        values={RECORDING_FILTERS}
        chosen={state.filter}
        textOf={(filter) => t(`filter.${filter}`)}
        onChoose={(filter) => onState({ filter })}
        testId="filter"
        className="recording-filters"
      />
      <ListToolbar keyword={state.keyword} onSearch={(keyword) => onState({ keyword })} placeholder={t('search')}>
        <FilterSelect
          label={t('column.state')}
          value={state.state}
          options={RECORDING_STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
          onChange={(value) => onState({ state: value })}
          testId="filter-state"
        />
        <FilterSelect
          label={t('column.type')}
          value={state.type}
          options={RECORDED_TYPES.map((value) => ({ value, label: t(`type.${value}`) }))}
          onChange={(type) => onState({ type })}
          testId="filter-type"
        />
        <RangeFilter from={state.from} to={state.to} onChange={onState} />
        {/* A phone has no column headings to sort by. */}
        {isPhone && <Sorting state={state} onState={onState} />}
      </ListToolbar>
    </>
  );
}

function Sorting({ state, onState }: Pick<FiltersProps, 'state' | 'onState'>) {
  const t = useT();
  return (
    <Select
      label={t('sort')}
      value={`${state.sort} ${state.order}`}
      options={listShape.sorts.flatMap((sort) =>
        (['DESC', 'ASC'] as const).map((order) => ({ value: `${sort} ${order}`, label: t(`sortBy.${sort}.${order}`) })),
      )}
      onChange={(value) => {
        const [sort, order] = value.split(' ') as [RecordingsState['sort'], RecordingsState['order']];
        onState({ sort, order });
      }}
      data-testid="sort"
    />
  );
}

/** The space that the organisation's recordings take, and how much there is. */
function Usage() {
  const t = useT();
  const { data } = useUsage();
  if (data === undefined) return null;
  const { bytes, limit } = data;
  if (limit === null)
    return (
      <span className="usage" data-testid="usage">
        {t('usage.used', { used: sizeWords(bytes) })}
      </span>
    );
  const share = limit === 0 ? 1 : bytes / limit;
  return (
    <span className="usage" data-level={share >= 1 ? 'full' : share >= 0.9 ? 'low' : 'free'} data-testid="usage">
      <span>
        {t('usage.usedOf', { used: sizeWords(bytes), limit: sizeWords(limit) })}
        {share >= 0.9 && <b>{t(share >= 1 ? 'usage.full' : 'usage.low')}</b>}
      </span>
      <meter value={Math.min(share, 1)} max={1} aria-label={t('usage.label')} />
    </span>
  );
}
