import { localName, type ManagedEntry } from '@rmeet/contract';
import { useRef, useState } from 'react';
import { isApiError, reportError } from '../../lib/api/index.ts';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { showRefusal } from '../../ui/admin/showRefusal.ts';
import { positionOf, stepTo, type Direction, type Place } from './moves.ts';
import { useKnownEntries, useMoveEntry, useRemoveEntry, useSetHidden } from './queries.ts';

/** The actions for an entry other than editing. `announcement` contains the new position of a moved entry. */
export function useEntryActions() {
  const t = useTexts('menus');
  const common = useTexts('common');
  const language = useLanguage();
  const knownEntries = useKnownEntries();
  const moving = useMoveEntry();
  const earlier = useRef<Promise<void>>(Promise.resolve());
  const hiding = useSetHidden();
  const removing = useRemoveEntry();
  const [announcement, setAnnouncement] = useState('');
  const nameOf = (entry: ManagedEntry | undefined): string => (entry ? localName(entry, language) : t('move.top'));

  const sayWhere = (after: readonly ManagedEntry[], id: string) => {
    const where = positionOf(after, id);
    const entry = after.find((one) => one.id === id);
    if (!where || !entry) return;
    const parent = nameOf(after.find((one) => one.id === where.pid));
    setAnnouncement(t('move.done', { name: nameOf(entry), parent, position: where.position, count: where.count }));
  };
  /** Moves run one after the other, so that each starts from the result of the previous one. */
  const inTurn = (work: () => Promise<void>) => {
    // A failed move has already been reported; the next one is tried anyway.
    earlier.current = earlier.current.then(work).catch(() => undefined);
  };
  const move = async (id: string, place: Place): Promise<void> =>
    sayWhere(await moving.mutateAsync({ id, ...place }), id);

  return {
    announcement,
    isBusy: hiding.isPending || removing.isPending,
    move: (id: string, place: Place) => inTurn(() => move(id, place)),
    step: (entry: ManagedEntry, direction: Direction) =>
      inTurn(async () => {
        const place = stepTo(knownEntries(), entry.id, direction);
        if (place) await move(entry.id, place);
        else setAnnouncement(t('move.noWay', { name: nameOf(entry), direction: t(`move.${direction}`) }));
      }),
    setHidden: (entry: ManagedEntry, hidden: boolean, name: string) =>
      hiding.mutate(
        { entry, hidden },
        {
          onSuccess: () => toast('success', () => t(hidden ? 'hiddenDone' : 'shown', { name })),
          // The newest version is being fetched; the message asks to try again with it.
          onError: (error) =>
            isApiError(error, 'CHANGED_MEANWHILE') ? toast('warning', () => error.message) : reportError(error),
        },
      ),
    remove: async (entry: ManagedEntry): Promise<void> => {
      const name = nameOf(entry);
      const sure = await ask({
        title: t('remove.title'),
        text: t('remove.text', { name }),
        okText: t('action.remove'),
        cancelText: common('cancel'),
        danger: true,
      });
      if (!sure) return;
      removing.mutate(entry.id, {
        onSuccess: () => toast('success', () => t('remove.done', { name })),
        onError: (error) => showRefusal(error, t('remove.refused')),
      });
    },
  };
}
