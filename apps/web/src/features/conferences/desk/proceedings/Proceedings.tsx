import { useT } from '../texts.tsx';
import { useRights } from '../context.ts';
import { Hands } from './Hands.tsx';
import { RollCallPart } from './RollCallPart.tsx';
import { TimerPart } from './TimerPart.tsx';
import { VotePart } from './VotePart.tsx';
import './proceedings.css';

/** Raised hands, speaking time, roll call and votes. */
export function Proceedings() {
  const t = useT();
  const may = useRights().may('giveFloor');
  const parts = [
    ['hands', Hands],
    ['timer', TimerPart],
    ['roll', RollCallPart],
    ['vote', VotePart],
  ] as const;
  return (
    <div className="desk-proceed">
      {parts.map(([key, Part]) => (
        <section key={key} aria-labelledby={`desk-proceed-${key}`}>
          <h3 id={`desk-proceed-${key}`}>{t(`proceed.${key}.title`)}</h3>
          <Part may={may} />
        </section>
      ))}
    </div>
  );
}
