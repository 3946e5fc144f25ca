import { clockTimeOf, positionOf, type RecordingEdit } from '@rmeet/contract';
import { useState, type KeyboardEvent } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { keptOf, lengthOf } from '../player/line.ts';
import type { Player } from '../player/player.ts';
import { useT } from '../texts.ts';
import { clockWords, timeOf } from '../words.ts';
import { moved, NO_EDIT, tidy, withCut, withoutCut, type Edge } from './edit.ts';
import { lastOf } from './EditMarks.tsx';
import type { Draft } from './useDraft.ts';

interface EditPanelProps {
  player: Player;
  draft: Draft;
  isSaving: boolean;
  onSave: (edit: RecordingEdit | null) => void;
  onCancel: () => void;
}

/** Trims the ends and cuts stretches out; times are positions of the whole recording. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of one form
export function EditPanel({ player, draft, isSaving, onSave, onCancel }: EditPanelProps) {
  const t = useT();
  const common = useTexts('common');
  const { edit, change, undo, canUndo } = draft;
  const last = lastOf(player);
  const segments = player.played.recording.tracks.find(({ kind }) => kind === 'programme')?.segments ?? [];
  const length = lengthOf(keptOf(segments, tidy(edit)));
  const field = (edge: Edge, label: string, time: number) => (
    <TimeField
      label={label}
      player={player}
      time={time}
      onTime={(next) => {
        change(moved(edit, edge, next, last));
        player.seekTo(next);
      }}
    />
  );
  return (
    <section className="edit" aria-label={t('edit.title')} data-testid="edit-panel">
      <p className="edit-hint">{t('edit.hint')}</p>
      <div className="edit-row">
        {field('start', t('edit.start'), edit.start ?? 0)}
        {field('end', t('edit.end'), edit.end ?? last)}
        <Button data-testid="edit-cut" onClick={() => change(withCut(edit, player.clockNow, last))}>
          <Icon name="scissors" size={16} />
          {t('edit.cut')}
        </Button>
      </div>
      {edit.cuts.length > 0 && (
        <ol className="edit-cuts">
          {edit.cuts.map(({ from, to }, cut) => (
            // oxlint-disable-next-line react/no-array-index-key -- a cut is known by its place
            <li key={cut} className="edit-row" data-testid="edit-cut-row">
              {field({ cut, edge: 'from' }, t('edit.from', { number: cut + 1 }), from)}
              {field({ cut, edge: 'to' }, t('edit.to', { number: cut + 1 }), to)}
              <IconButton
                icon="close"
                label={t('edit.remove', { number: cut + 1 })}
                onClick={() => change(withoutCut(edit, cut))}
              />
            </li>
          ))}
        </ol>
      )}
      <div className="edit-buttons">
        <output data-testid="edit-length">{t('edit.length', { time: clockWords(length) })}</output>
        <Button kind="quiet" disabled={!canUndo} data-testid="edit-undo" onClick={undo}>
          <Icon name="undo" size={16} />
          {t('edit.undo')}
        </Button>
        <Button kind="quiet" disabled={tidy(edit) === null} data-testid="edit-all" onClick={() => change(NO_EDIT)}>
          {t('edit.all')}
        </Button>
        <Button data-testid="edit-cancel" onClick={onCancel}>
          {common('cancel')}
        </Button>
        <Button
          kind="primary"
          busy={isSaving}
          disabled={length === 0}
          data-testid="edit-save"
          onClick={() => onSave(tidy(edit))}
        >
          {common('save')}
        </Button>
      </div>
    </section>
  );
}

interface TimeFieldProps {
  label: string;
  player: Player;
  /** By the clock. */
  time: number;
  onTime: (time: number) => void;
}

/** A time as text, which arrow keys move by a second (with Shift by a tenth); a button takes the current one. */
function TimeField({ label, player, time, onTime }: TimeFieldProps) {
  const t = useT();
  const position = positionOf(player.kept, time);
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && timeOf(typed) === null;
  const put = (next: number) => {
    setTyped(null);
    onTime(next >= player.length ? lastOf(player) : clockTimeOf(player.kept, Math.max(0, next)));
  };
  const take = () => {
    const next = typed === null ? null : timeOf(typed);
    if (next !== null) put(next);
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') take();
    else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault();
      const step = event.shiftKey ? 100 : 1_000;
      put(((typed === null ? null : timeOf(typed)) ?? position) + (event.key === 'ArrowUp' ? step : -step));
    }
  };
  return (
    <span className="edit-field">
      <label>
        <span>{label}</span>
        <input
          type="text"
          inputMode="decimal"
          value={typed ?? clockWords(position, true)}
          aria-invalid={isWrong}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={keyDown}
          onBlur={() => {
            take();
            setTyped(null);
          }}
        />
      </label>
      <IconButton icon="playhead" label={t('edit.here', { name: label })} onClick={() => put(player.position)} />
    </span>
  );
}
