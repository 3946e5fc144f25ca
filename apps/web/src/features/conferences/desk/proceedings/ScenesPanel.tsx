import type { Scene } from '@rmeet/conference';
import { useMutation } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { useRef, useState } from 'react';
import { ask, toast } from '../../../../lib/notify.ts';
import { Button } from '../../../../ui/Button.tsx';
import { useDesk, useDeskPart, type PanelProps } from '../context.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { useT } from '../texts.tsx';
import { PanelPopover } from './PanelPopover.tsx';
import './proceedings.css';

const NAME_LENGTH = 60;

/** Saved states of the conference: applied with one press, manually or at a set time. */
// oxlint-disable-next-line max-lines-per-function -- The list and a form of one field: plain JSX.
export function ScenesPanel(props: PanelProps) {
  const t = useT();
  const desk = useDesk();
  const scenes = useDeskPart(({ state }) => state.scenes);
  const [name, setName] = useState('');
  const [editedId, setEdited] = useState<string | null>(null);
  const { meetId } = desk;
  const field = useRef<HTMLInputElement>(null);
  const save = useMutation({
    mutationFn: () => desk.api.saveScene({ params: { meetId }, body: { name: name.trim() } }),
    onSuccess: () => {
      setName('');
      // Without a name the button is disabled and would lose the focus.
      field.current?.focus();
    },
  });
  const edited = scenes.find(({ id }) => id === editedId);
  const nextId = scenes.find(({ at, appliedAt }) => at !== null && appliedAt === null)?.id;
  if (edited) {
    return (
      <PanelPopover title={edited.name} testId="desk-scenes-panel" {...props}>
        <SceneForm key={edited.id} scene={edited} onDone={() => setEdited(null)} />
      </PanelPopover>
    );
  }
  return (
    <PanelPopover title={t('proceed.scenes.title')} testId="desk-scenes-panel" {...props}>
      {scenes.length === 0 && <p className="desk-panel-hint">{t('proceed.scenes.empty')}</p>}
      <ul className="desk-scenes">
        {scenes.map((scene) => (
          <SceneItem
            key={scene.id}
            scene={scene}
            isNext={scene.id === nextId}
            onApplied={props.onClose}
            onEdit={() => setEdited(scene.id)}
          />
        ))}
      </ul>
      <form
        className="desk-panel-line"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') save.mutate();
        }}
      >
        <input
          ref={field}
          value={name}
          maxLength={NAME_LENGTH}
          placeholder={t('proceed.scenes.name')}
          aria-label={t('proceed.scenes.name')}
          data-testid="desk-scene-name"
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" busy={save.isPending} disabled={name.trim() === ''} data-testid="desk-scene-save">
          {t('proceed.scenes.save')}
        </Button>
      </form>
    </PanelPopover>
  );
}

interface SceneItemProps {
  scene: Scene;
  isNext: boolean;
  onApplied: () => void;
  onEdit: () => void;
}

function SceneItem({ scene, isNext, onApplied, onEdit }: SceneItemProps) {
  const t = useT();
  const desk = useDesk();
  return (
    <li data-testid={`desk-scene-${scene.id}`}>
      <button
        type="button"
        className="desk-scene"
        data-testid="desk-scene-apply"
        onClick={() => {
          void desk.act({ verb: 'scene', sceneId: scene.id, name: scene.name });
          onApplied();
        }}
      >
        <span className="visually-hidden">{t('proceed.scenes.apply')}</span>
        <strong title={scene.name}>{scene.name}</strong>
        <When scene={scene} isNext={isNext} />
      </button>
      <ActionButton
        bare
        icon="sliders"
        size={18}
        label={t('proceed.scenes.more', { name: scene.name })}
        data-testid="desk-scene-more"
        onAction={onEdit}
      />
    </li>
  );
}

function When({ scene: { at, appliedAt }, isNext }: { scene: Scene; isNext: boolean }) {
  const t = useT();
  if (at === null) return null;
  if (appliedAt !== null) return <small>{t('proceed.scenes.was', { time: timeText(appliedAt) })}</small>;
  return (
    <small>
      {isNext && <span className="desk-tag">{t('proceed.scenes.next')}</span>}{' '}
      {t('proceed.scenes.at', { time: timeText(at) })}
    </small>
  );
}

const timeText = (time: string): string =>
  dayjs(time).format(dayjs(time).isSame(dayjs(), 'day') ? 'HH:mm:ss' : 'YYYY-MM-DD HH:mm');

// oxlint-disable-next-line max-lines-per-function -- One form; its fields and buttons share its state.
function SceneForm({ scene, onDone }: { scene: Scene; onDone: () => void }) {
  const t = useT();
  const desk = useDesk();
  const params = { meetId: desk.meetId, sceneId: scene.id };
  const [name, setName] = useState(scene.name);
  const [at, setAt] = useState(scene.at === null ? '' : dayjs(scene.at).format('YYYY-MM-DDTHH:mm'));
  const change = useMutation({
    mutationFn: (body: Parameters<typeof desk.api.changeScene>[0]['body']) => desk.api.changeScene({ params, body }),
    onSuccess: onDone,
  });
  const time = at === '' ? null : dayjs(at).toISOString();
  const isSameTime = at === (scene.at === null ? '' : dayjs(scene.at).format('YYYY-MM-DDTHH:mm'));
  return (
    <form
      className="desk-panel-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') change.mutate({ name: name.trim(), ...(isSameTime ? {} : { at: time }) });
      }}
    >
      <label className="desk-panel-line">
        {t('proceed.scenes.name')}
        <input
          value={name}
          maxLength={NAME_LENGTH}
          data-testid="desk-scene-rename"
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <label className="desk-panel-line">
        {t('proceed.scenes.time')}
        <input
          type="datetime-local"
          value={at}
          data-testid="desk-scene-time"
          onChange={(event) => setAt(event.target.value)}
        />
      </label>
      {at !== '' && (
        <Button kind="quiet" onClick={() => setAt('')}>
          {t('proceed.scenes.clearTime')}
        </Button>
      )}
      <div className="desk-panel-acts">
        <Button onClick={onDone}>{t('proceed.scenes.back')}</Button>
        <Button
          kind="primary"
          type="submit"
          busy={change.isPending}
          disabled={name.trim() === ''}
          data-testid="desk-scene-keep"
        >
          {t('proceed.save')}
        </Button>
      </div>
      <hr />
      <Button
        data-testid="desk-scene-replace"
        busy={change.isPending}
        onClick={() =>
          change.mutate(
            { again: true },
            { onSuccess: () => toast('success', () => t('proceed.scenes.replaced', { name: scene.name })) },
          )
        }
      >
        {t('proceed.scenes.replace')}
      </Button>
      <DeleteSceneButton scene={scene} onDone={onDone} />
    </form>
  );
}

function DeleteSceneButton({ scene, onDone }: { scene: Scene; onDone: () => void }) {
  const t = useT();
  const desk = useDesk();
  const params = { meetId: desk.meetId, sceneId: scene.id };
  const drop = useMutation({ mutationFn: () => desk.api.deleteScene({ params }), onSuccess: onDone });
  const remove = async () => {
    const sure = await ask({
      title: t('proceed.scenes.deleteTitle', { name: scene.name }),
      text: t('proceed.scenes.deleteText'),
      okText: t('proceed.scenes.deleteOk'),
      cancelText: t('cancel'),
      danger: true,
    });
    if (sure) drop.mutate();
  };
  return (
    <Button kind="danger" busy={drop.isPending} data-testid="desk-scene-delete" onClick={() => void remove()}>
      {t('proceed.scenes.delete')}
    </Button>
  );
}
