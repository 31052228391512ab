import Type from 'typebox';

/** Arguments that several operations share. */
export const pocketId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'pocket slug, as list_pockets gives it (for example tiongbahru)',
});
