import { type StatisticsAnswer } from '@rmeet/contract';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import { loadChunk } from '../../lib/chunks.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Segments } from '../../ui/Segments.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { GROUPS } from './groups.ts';
import { measureOf, unitOf, type StatisticsState } from './state.ts';
import { useStatisticWords } from './words.ts';

const Chart = lazy(() => loadChunk(async () => ({ default: (await import('./Chart.tsx')).Chart })));
const UNITS = ['day', 'week', 'month'] as const;
const VIEWS = ['chart', 'table'] as const;

interface SeriesPanelProps {
  state: StatisticsState;
  onState: (change: Partial<StatisticsState>) => void;
  answer: StatisticsAnswer;
}

/** The chosen measure over time, as a picture or as a table; screen readers always have the table. */
export function SeriesPanel({ state, onState, answer }: SeriesPanelProps) {
  const t = useTexts('statistics');
  const words = useStatisticWords();
  const measure = measureOf(state);
  const isEmpty = answer.buckets.every(({ figures }) => GROUPS[state.group].measures.every((one) => !figures[one]));
  return (
    <section className="statistics-panel" aria-labelledby="statistics-series">
      <header>
        <h2 id="statistics-series">{t('series.title', { measure: words.measure(measure) })}</h2>
        <Segments
          label={t('series.unit')}
          values={UNITS}
          chosen={unitOf(state)}
          textOf={(unit) => t(`unit.${unit}`)}
          onChoose={(unit) => onState({ unit })}
          testId="statistics-unit"
        />
        <Segments
          label={t('series.view')}
          values={VIEWS}
          chosen={state.view}
          textOf={(view) => t(`view.${view}`)}
          onChoose={(view) => onState({ view })}
          testId="statistics-view"
        />
      </header>
      {isEmpty ? (
        <EmptyState
          picture="list"
          title={t('empty')}
          hint={t(answer.countedAt === null ? 'notCounted' : 'emptyHint')}
        />
      ) : (
        <SeriesContent state={state} answer={answer} />
      )}
    </section>
  );
}

function SeriesContent({ state, answer }: Omit<SeriesPanelProps, 'onState'>) {
  const t = useTexts('statistics');
  const { measure: measureWords, value: valueWords, bucket: bucketWords } = useStatisticWords();
  const measure = measureOf(state);
  const { buckets, unit, period } = answer;
  // The same arrays for the same answer, so that the picture is drawn again only if it changes.
  const values = useMemo(() => buckets.map(({ figures }) => figures[measure]), [buckets, measure]);
  const names = useMemo(
    () => buckets.map(({ start }) => (unit === 'month' ? start.slice(0, 7) : start.slice(5))),
    [buckets, unit],
  );
  const wordsOf = useCallback((value: number) => valueWords(measure, value), [measure, valueWords]);
  const isTable = state.view === 'table';
  return (
    <>
      {!isTable && (
        <Suspense fallback={<div className="statistics-chart" />}>
          <Chart
            label={t('series.label', { measure: measureWords(measure), ...period })}
            names={names}
            values={values}
            wordsOf={wordsOf}
          />
        </Suspense>
      )}
      <div
        className={isTable ? 'statistics-table' : 'visually-hidden'}
        {...(isTable ? { tabIndex: 0, role: 'region', 'aria-label': t('series.table') } : {})}
      >
        <table aria-label={t('series.table')} data-testid="statistics-table">
          <thead>
            <tr>
              <th scope="col">{t(`unit.${unit}`)}</th>
              {GROUPS[state.group].measures.map((one) => (
                <th key={one} scope="col">
                  {measureWords(one)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {buckets.map(({ start, figures }) => (
              <tr key={start}>
                <th scope="row">{bucketWords(unit, start)}</th>
                {GROUPS[state.group].measures.map((one) => (
                  <td key={one}>{valueWords(one, figures[one])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
