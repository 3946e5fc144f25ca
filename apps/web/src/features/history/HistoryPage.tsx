import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { system } from '../../lib/browser.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { useListState } from '../../lib/listState.ts';
import { useMediaQuery } from '../../lib/useMediaQuery.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { AdminTable } from '../../ui/admin/AdminTable.tsx';
import { FilterSelect } from '../../ui/admin/FilterSelect.tsx';
import { ListToolbar } from '../../ui/admin/ListToolbar.tsx';
import { useHistoryColumns } from './historyColumns.tsx';
import { HELD_TYPES, listShape, type HistoryState } from './listShape.ts';
import { useHistoryList } from './queries.ts';
import { RangeSummary } from './RangeSummary.tsx';
import './texts.ts';
import './history.css';

const DAY = 'YYYY-MM-DD';
const dayOf = (text: string): Dayjs | null => (text === '' ? null : dayjs(text));

/** Past meetings: the user's own in the user app, the tenant's in the manage app. All its state is in the URL. */
export function HistoryPage() {
  const t = useTexts('history');
  const admin = useTexts('admin');
  const [state, setState] = useListState(listShape);
  const list = useHistoryList(state, system === 'manage');
  const isPhone = useMediaQuery('(max-width: 720px)');
  const columns = useHistoryColumns(isPhone);
  const isFiltered = state.keyword !== '' || state.type !== '' || state.from !== '' || state.to !== '';
  return (
    <AdminPage title={t(system === 'manage' ? 'titleManage' : 'title')}>
      <AdminTable
        name={isPhone ? 'history-phone' : 'history'}
        label={t('label')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={({ subject }) => subject}
        toolbar={
          <>
            <Filters state={state} onState={setState} />
            {system === 'manage' && <RangeSummary state={state} />}
          </>
        }
        empty={
          isFiltered
            ? { title: admin('noMatch'), hint: admin('noMatchHint') }
            : { title: t('empty'), hint: t('emptyHint') }
        }
      />
    </AdminPage>
  );
}

/** Search, type and date filters. */
function Filters({ state, onState }: { state: HistoryState; onState: (change: Partial<HistoryState>) => void }) {
  const t = useTexts('history');
  const today = dayjs();
  return (
    <ListToolbar keyword={state.keyword} onSearch={(keyword) => onState({ keyword })} placeholder={t('search')}>
      <FilterSelect
        label={t('column.type')}
        value={state.type}
        options={HELD_TYPES.map((value) => ({ value, label: t(`type.${value}`) }))}
        onChange={(type) => onState({ type })}
        testId="history-type"
      />
      <DatePicker.RangePicker
        size="medium"
        aria-label={t('range')}
        value={[dayOf(state.from), dayOf(state.to)]}
        allowEmpty={[true, true]}
        maxDate={today}
        placeholder={[t('from'), t('to')]}
        presets={[
          { label: t('ranges.today'), value: [today, today] },
          { label: t('ranges.week'), value: [today.subtract(6, 'day'), today] },
          { label: t('ranges.month'), value: [today.subtract(29, 'day'), today] },
        ]}
        data-testid="history-range"
        onChange={(days) => onState({ from: days?.[0]?.format(DAY) ?? '', to: days?.[1]?.format(DAY) ?? '' })}
      />
    </ListToolbar>
  );
}
