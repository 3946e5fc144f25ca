import { layoutOf, type ScreenLayout } from '@rmeet/contract';
import { useMemo, useState } from 'react';
import { useStore } from '../../use-store.ts';
import { useDesk, useDeskPart, useRights } from '../context.ts';
import { useT } from '../texts.tsx';
import { Choices } from './Choices.tsx';
import { chosen, layoutCommands } from './model/seats.ts';
import { ModelPicker } from './ModelPicker.tsx';
import { PlacesEditor } from './PlacesEditor.tsx';
import { SeatsEditor } from './SeatsEditor.tsx';

interface LayoutEditorProps {
  /** Whose layout; null for everybody's. */
  termId: string | null;
  layout: ScreenLayout;
}

/** A layout to choose and to fill. Every change is a command at once. */
export function LayoutEditor({ termId, layout }: LayoutEditorProps) {
  const t = useT();
  const desk = useDesk();
  const maySeat = useRights().may('seats');
  const [part, setPart] = useState<'places' | 'seats'>('seats');
  const shown = useShown(termId);
  const change = async (next: ScreenLayout): Promise<void> => {
    for (const command of layoutCommands(termId, layout, next)) if (!(await desk.act(command))) return;
  };
  const choose = (model: ScreenLayout['model']) => {
    if (model === layout.model) return;
    setPart(model === 'CUSTOM' ? 'places' : 'seats');
    void change(chosen(layout, model, desk.store.getSnapshot().state?.commands ?? []));
  };
  const isCustom = layout.model === 'CUSTOM';
  return (
    <>
      <ModelPicker layout={layout} onChoose={choose} />
      {isCustom && maySeat && (
        <Choices label={t('screen.places.what')} values={['places', 'seats'] as const} value={part} textOf={(each) => t(`screen.places.${each}`)} testId="desk-custom" onChoose={setPart} />
      )}
      {isCustom && (part === 'places' || !maySeat) && <PlacesEditor layout={layout} onChange={(next) => void change(next)} />}
      {maySeat && !(isCustom && part === 'places') && (
        layout.model === 'AUTO'
          ? <p className="desk-sheet-hint">{t('screen.seats.auto')}</p>
          : <SeatsEditor layout={layout} shown={shown} onSeats={(seats) => void change({ ...layout, seats })} />
      )}
    </>
  );
}

/** Who is seen in each seat just now, by its number. */
function useShown(termId: string | null): ReadonlyMap<number, string> {
  const desk = useDesk();
  const control = useDeskPart(({ state }) => state.control);
  const { tiles, speakers } = useStore(desk.watch.store);
  return useMemo(() => {
    const of = (kind: 'camera' | 'screen'): string[] => tiles.flatMap((tile) => (tile.kind === kind ? [tile.termId] : []));
    const { cells } = layoutOf({ control, terminals: of('camera'), sharing: of('screen'), speakers: speakers.recent, me: termId, screen: { width: 1280, height: 720 } });
    return new Map(cells.flatMap(({ seat, termId: seen }) => (seat === undefined ? [] : [[seat, seen] as const])));
  }, [control, tiles, speakers.recent, termId]);
}
