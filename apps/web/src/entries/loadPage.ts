import { CHUNK_LOAD_TIMEOUT } from '@rmeet/contract';
import { lazy, type ComponentType } from 'react';

/** A page that is fetched when it is first shown. One that does not come in time fails, so that reloading can be offered. */
export function loadPage(load: () => Promise<ComponentType>) {
  return lazy(async () => ({ default: await Promise.race([load(), tooLate()]) }));
}

function tooLate(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error('The page did not load in time.')), CHUNK_LOAD_TIMEOUT);
  });
}
