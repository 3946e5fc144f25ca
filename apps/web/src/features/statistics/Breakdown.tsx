import type { Measure, StatisticDimension, StatisticPart } from '@rmeet/contract';
import { system } from '../../lib/browser.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Segments } from '../../ui/Segments.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { RowLink } from '../../ui/admin/RowLink.tsx';
import { columnsOf, GROUPS } from './groups.ts';
import { useBreakdown } from './queries.ts';
import { dimensionOf, measureOf, type StatisticsState } from './state.ts';
import { useStatisticWords } from './words.ts';

interface BreakdownProps {
  state: StatisticsState;
  onState: (change: Partial<StatisticsState>) => void;
}

/** The cut that a part stands for; undefined if there is none. */
function cutBehind(
  dimension: StatisticDimension,
  { key }: StatisticPart,
  state: StatisticsState,
): Partial<StatisticsState> | undefined {
  const isBelow = !key.endsWith('/') && key !== state.department;
  if ((dimension === 'department' || dimension === 'qualityDepartment') && isBelow) return { department: key };
  if (dimension === 'type' && state.type === '') return { type: key as StatisticsState['type'] };
  if (dimension === 'tenant' && state.tenant === '' && system === 'admin') return { tenant: key };
  return undefined;
}

/** The period by department, type, room and so on; departments, types and tenants lead to their own figures. */
export function Breakdown({ state, onState }: BreakdownProps) {
  const t = useTexts('statistics');
  const list = useBreakdown(state);
  const dimensions = GROUPS[state.group].dimensions.filter((one) => one !== 'tenant' || system === 'admin');
  return (
    <section className="statistics-panel" aria-labelledby="statistics-breakdown">
      <header>
        <h2 id="statistics-breakdown">{t('breakdown.title')}</h2>
        <Segments
          label={t('breakdown.by')}
          values={dimensions}
          chosen={dimensionOf(state)}
          textOf={(dimension) => t(`dimension.${dimension}`)}
          onChoose={(by) => onState({ by })}
          testId="statistics-by"
        />
      </header>
      {list.isError && !list.data ? (
        <ErrorState retry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <Loading />
      ) : list.data.parts.length === 0 ? (
        <EmptyState picture="list" title={t('empty')} />
      ) : (
        <PartTable state={state} onState={onState} {...list.data} />
      )}
    </section>
  );
}

interface PartTableProps extends BreakdownProps {
  by: StatisticDimension;
  parts: readonly StatisticPart[];
  isCut: boolean;
}

function PartTable({ state, onState, by, parts, isCut }: PartTableProps) {
  const t = useTexts('statistics');
  const words = useStatisticWords();
  const columns = columnsOf(state.group, by);
  const drawn = measureOf(state);
  const measure: Measure = columns.includes(drawn) ? drawn : (columns[0] ?? drawn);
  const most = Math.max(1, ...parts.map(({ figures }) => figures[measure] ?? 0));
  return (
    <>
      <div className="statistics-table" tabIndex={0} role="region" aria-label={t('breakdown.table')}>
        <table aria-label={t('breakdown.table')} data-testid="statistics-parts">
          <thead>
            <tr>
              <th scope="col">{t(`dimension.${by}`)}</th>
              {columns.map((one) => (
                <th key={one} scope="col">
                  {words.measure(one)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {parts.map((part) => {
              const cut = cutBehind(by, part, state);
              const name = words.part(by, part);
              return (
                <tr key={part.key} data-testid="statistics-part">
                  <th scope="row">
                    {cut ? (
                      <RowLink name={name} testId="statistics-part-open" onClick={() => onState(cut)} />
                    ) : (
                      <span title={name}>{name}</span>
                    )}
                    <span className="statistics-share" aria-hidden="true">
                      <span style={{ inlineSize: `${((part.figures[measure] ?? 0) / most) * 100}%` }} />
                    </span>
                  </th>
                  {columns.map((one) => (
                    <td key={one}>{words.value(one, part.figures[one])}</td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {isCut && <p className="statistics-note">{t('breakdown.cut', { count: parts.length })}</p>}
    </>
  );
}
