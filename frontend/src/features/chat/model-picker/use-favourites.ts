import type { PublicModel } from '@tanya/contract';
import { useState } from 'react';
import { usePageOwner } from '../../../app/session/page-owner';
import { readModelPreferences, writeModelPreferences } from './model-preferences';

interface Favourites {
  favourites: readonly string[];
  toggle: (model: PublicModel) => void;
}

export function useFavourites(): Favourites {
  const owner = usePageOwner();
  const [favourites, setFavourites] = useState(() => readModelPreferences(owner).favourites);
  const toggle = ({ modelId }: PublicModel) => {
    // Another tab may have changed them since.
    const stored = readModelPreferences(owner).favourites;
    const others = stored.filter((id) => id !== modelId);
    const next = favourites.includes(modelId) ? others : [...others, modelId];
    writeModelPreferences(owner, { favourites: next });
    setFavourites(next);
  };
  return { favourites, toggle };
}
