import { layoutOf, type ScreenLayout } from '@rmeet/conference';
import { useMemo, useRef, useState } from 'react';
import { useStore } from '../../shared/use-store.ts';
import { useDesk, useDeskPart, useRights } from '../context.ts';
import { useT } from '../texts.tsx';
import { Choices } from './Choices.tsx';
import { chosen, layoutCommands } from './model/seats.ts';
import { ModelPicker } from './ModelPicker.tsx';
import { PlacesEditor } from './PlacesEditor.tsx';
import { SeatsEditor } from './SeatsEditor.tsx';

interface LayoutEditorProps {
  /** The terminal whose layout it is; null for the common layout. */
  termId: string | null;
  layout: ScreenLayout;
}

/** Chooses a layout and fills its seats. Every change is sent as a command immediately. */
export function LayoutEditor({ termId, layout: known }: LayoutEditorProps) {
  const t = useT();
  const desk = useDesk();
  const { layout, change } = useAskedLayout(termId, known);
  const maySeat = useRights().may('seats');
  const [part, setPart] = useState<'places' | 'seats'>('seats');
  const shown = useShown(termId);
  const choose = (model: ScreenLayout['model']) => {
    if (model === layout.model) return;
    setPart(model === 'CUSTOM' ? 'places' : 'seats');
    change(chosen(layout, model, desk.store.getSnapshot().state?.commands ?? []));
  };
  const isCustom = layout.model === 'CUSTOM';
  return (
    <>
      <ModelPicker layout={layout} onChoose={choose} />
      {isCustom && maySeat && (
        <Choices
          label={t('screen.places.what')}
          values={['places', 'seats'] as const}
          value={part}
          textOf={(each) => t(`screen.places.${each}`)}
          testId="desk-custom"
          onChoose={setPart}
        />
      )}
      {isCustom && (part === 'places' || !maySeat) && <PlacesEditor layout={layout} onChange={change} />}
      {maySeat &&
        !(isCustom && part === 'places') &&
        (layout.model === 'AUTO' ? (
          <p className="desk-sheet-hint">{t('screen.seats.auto')}</p>
        ) : (
          <SeatsEditor layout={layout} shown={shown} onSeats={(seats) => change({ ...layout, seats })} />
        ))}
    </>
  );
}

/**
 * The layout last requested, until the conference has it, and a function to request another. A request made while the
 * previous one is pending builds on it; commands are sent one after the other, so that none overtakes another.
 */
function useAskedLayout(termId: string | null, known: ScreenLayout) {
  const desk = useDesk();
  const version = useDeskPart(({ state }) => state.control.version);
  /** `until`: the version of the control that contains it. */
  const [asked, setAsked] = useState<{ layout: ScreenLayout; until: number } | null>(null);
  const sent = useRef(Promise.resolve());
  const layout = asked !== null && version < asked.until ? asked.layout : known;
  const sendAfter = async (earlier: Promise<void>, next: ScreenLayout): Promise<void> => {
    let until = 0;
    try {
      await earlier;
      let isTaken = true;
      for (const command of layoutCommands(termId, layout, next)) isTaken &&= await desk.act(command);
      if (isTaken) until = desk.answered;
    } finally {
      // The rejection was shown; show the conference's layout again.
      setAsked((last) => (last?.layout === next ? { layout: next, until } : last));
    }
  };
  const change = (next: ScreenLayout): void => {
    setAsked({ layout: next, until: Infinity });
    sent.current = sendAfter(sent.current, next);
  };
  return { layout, change };
}

/** The termId currently seen in each seat, by seat number. */
function useShown(termId: string | null): ReadonlyMap<number, string> {
  const desk = useDesk();
  const control = useDeskPart(({ state }) => state.control);
  const { tiles, speakers } = useStore(desk.watch.store);
  return useMemo(() => {
    const of = (kind: 'camera' | 'screen'): string[] =>
      tiles.flatMap((tile) => (tile.kind === kind ? [tile.termId] : []));
    const { cells } = layoutOf({
      control,
      terminals: of('camera'),
      sharing: of('screen'),
      speakers: speakers.recent,
      me: termId,
      screen: { width: 1280, height: 720 },
    });
    return new Map(cells.flatMap(({ seat, termId: seen }) => (seat === undefined ? [] : [[seat, seen] as const])));
  }, [control, tiles, speakers.recent, termId]);
}
