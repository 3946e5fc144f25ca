import { useT } from '../texts.tsx';
import { useRights } from '../context.ts';
import { Hands } from './Hands.tsx';
import { RollCallPart } from './RollCallPart.tsx';
import { TimerPart } from './TimerPart.tsx';
import { VotePart } from './VotePart.tsx';
import './proceedings.css';

/** Who wants to speak, how long somebody may, who is here, and what is decided. */
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
