/** Names for people who do not exist, at addresses nobody can own (RFC 2606, .example). */
import type { Dice } from './demo-shop-dice.ts';

export interface Person {
  name: string;
  email: string;
}

const GIVEN = (
  'Ada Amir Anna Ben Boris Carla Cem Chen Clara Dana David Dora Elif Emil Emma Eva Femi Finn Freya Gita Gustav Hana Hugo ' +
  'Ida Igor Ines Iris Ivan Jana Jonas Julia Kai Karim Lara Lena Leo Lina Lucas Maja Malik Marta Mila Milan Nadia Nina Noor ' +
  'Olga Omar Oskar Paula Pavel Petra Rafael Rosa Ruben Sami Sara Selma Sofia Stefan Tara Theo Tomas Uma Vera Viktor Yara Zoe'
).split(' ');

const SURNAMES = (
  'Abe Adler Baker Bauer Becker Berg Blum Bosch Braun Castro Costa Cruz Dahl Diaz Dunn Eklund Engel Falk Ferrari Fischer ' +
  'Frank Garcia Gruber Haas Hahn Hansen Hill Holm Horvat Ito Jensen Kaya Keller Klein Koch Kovac Kruse Lang Larsen Lee ' +
  'Lindt Lopez Maier Marin Meyer Mori Moser Nagy Novak Okafor Olsen Ortiz Park Petrov Popov Quinn Reis Ricci Roth Ruiz ' +
  'Sato Silva Simon Stein Suzuki Tanaka Torres Vogel Weber Weiss Wolf Wood Yilmaz Young Zeller Zhang'
).split(' ');

const REDRAWS = 30;

/** A full name not in `taken` as long as enough are left, and an address that `label` makes unique. */
export function drawName(dice: Dice, taken: Set<string>, label: string): Person {
  let name = '';
  for (let draw = 0; draw <= REDRAWS; draw++) {
    name = `${dice.pick(GIVEN)} ${dice.pick(SURNAMES)}`;
    if (!taken.has(name)) break;
  }
  taken.add(name);
  return { name, email: `${name.toLowerCase().replace(' ', '.')}.${label}@shop.example` };
}
