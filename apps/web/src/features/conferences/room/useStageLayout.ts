import { layoutOf, type ConferenceControl, type Layout } from '@rmeet/conference';
import { useEffect, useMemo, useState } from 'react';
import type { Call, SpeakerState, Tile } from '../../../call/index.ts';
import { useMediaQuery } from '../../../lib/useMediaQuery.ts';
import { usePresent, useSame } from '../shared/hooks.ts';
import type { ViewChoices } from './useViewChoices.ts';

interface Meeting {
  call: Call;
  control: ConferenceControl;
  tiles: readonly Tile[];
  speakers: SpeakerState;
  choices: ViewChoices;
}

/** Height of the buttons for pages; pixels. */
const PAGER = 48;

/** The layout, and how much of the stage's height it uses. */
export function useStageLayout(
  { call, control, tiles, speakers, choices }: Meeting,
  { width, height, full, page }: { width: number; height: number; full: string | null; page: number },
): { layout: Layout; used: number } {
  const phone = useMediaQuery('(max-width: 600px), (max-height: 480px)');
  const { terminals, sharing } = usePresent(tiles);
  const recent = useSame(speakers.recent);
  const { preferences, ownView } = choices;
  const { view, corner, hideSelf, hideWithoutVideo } = preferences;
  const leftOut = useSame([
    ...(hideSelf ? [call.termId] : []),
    ...(hideWithoutVideo ? tiles.flatMap((tile) => (isWithoutVideo(tile) ? [tile.termId] : [])) : []),
  ]);
  // What fills the screen keeps its place, although others speak meanwhile.
  const pinned = useSame(full === null ? choices.pinned : [full, ...choices.pinned.filter((key) => key !== full)]);
  return useMemo(() => {
    const inHeight = (used: number) =>
      layoutOf({
        control,
        terminals,
        sharing,
        speakers: recent,
        me: call.termId,
        screen: { width, height: used, phone, density: devicePixelRatio },
        pinned,
        page,
        ownView,
        view,
        leftOut,
        corner,
      });
    const layout = inHeight(height);
    const used = height - PAGER;
    // The buttons for pages cover no names.
    return layout.pages > 1 && used > PAGER ? { layout: inHeight(used), used } : { layout, used: height };
  }, [call, control, terminals, sharing, recent, width, height, phone, pinned, page, ownView, view, leftOut, corner]);
}

const isWithoutVideo = ({ kind, own, connected, video }: Tile): boolean =>
  kind === 'camera' && !own && connected && video === null;

/** Key of the tile that fills the screen; null for none. */
export function useFullKey(): string | null {
  const [full, setFull] = useState<string | null>(null);
  useEffect(() => {
    const update = () => {
      const element = document.fullscreenElement;
      setFull(element instanceof HTMLElement ? (element.dataset['key'] ?? null) : null);
    };
    document.addEventListener('fullscreenchange', update);
    return () => document.removeEventListener('fullscreenchange', update);
  }, []);
  return full;
}
