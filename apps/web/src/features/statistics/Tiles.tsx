import type { Measure, StatisticsAnswer } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { GROUPS } from './groups.ts';
import { measureOf, type StatisticsState } from './state.ts';
import { useStatisticWords } from './words.ts';

interface TilesProps {
  state: StatisticsState;
  onState: (change: Partial<StatisticsState>) => void;
  answer: StatisticsAnswer;
}

/** The figures of the group, each compared with the period before. The pressed one is drawn below. */
export function Tiles({ state, onState, answer }: TilesProps) {
  const t = useTexts('statistics');
  return (
    <div className="statistics-tiles" role="group" aria-label={t('figures')}>
      {GROUPS[state.group].measures.map((measure) => (
        <Tile
          key={measure}
          measure={measure}
          answer={answer}
          pressed={measureOf(state) === measure}
          onPress={() => onState({ measure })}
        />
      ))}
    </div>
  );
}

interface TileProps {
  measure: Measure;
  answer: StatisticsAnswer;
  pressed: boolean;
  onPress: () => void;
}

function Tile({ measure, answer: { totals, totalsBefore, before }, pressed, onPress }: TileProps) {
  const t = useTexts('statistics');
  const words = useStatisticWords();
  const [now, earlier] = [totals[measure], totalsBefore[measure]];
  const change = words.change(now, earlier);
  const compared = change === null ? t('notCompared') : t('compared', { change, value: words.value(measure, earlier) });
  return (
    <button
      type="button"
      className="statistics-tile"
      aria-pressed={pressed}
      title={t('comparedWith', before)}
      data-testid={`tile-${measure}`}
      onClick={onPress}
    >
      <span className="statistics-tile-name">{words.measure(measure)}</span>
      <strong>{words.value(measure, now)}</strong>
      <small>{measure === 'people' && now === null ? t('peopleUnknown') : compared}</small>
    </button>
  );
}
