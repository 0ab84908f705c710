// Blurhash, as blurha.sh describes it: a few cosines whose sum looks like a picture out of focus.

import { digits, number } from "./media";

const linear = (value: number) =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

const encoded = (value: number) =>
  value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;

const squared = (value: number) => Math.sign(value) * value * value;

/**
 * Draws a blurhash into pixels, four bytes each, as canvases have them. Undefined for a text that
 * is none.
 */
export function decode(
  hash: string,
  width: number,
  height: number,
): Uint8ClampedArray<ArrayBuffer> | undefined {
  const form = number(hash.slice(0, 1));
  const [across, down] = [(form % 9) + 1, Math.floor(form / 9) + 1];
  if (hash.length !== 4 + 2 * across * down || [...hash].some((d) => !digits.includes(d))) return;
  const strongest = (number(hash.slice(1, 2)) + 1) / 166;
  const average = number(hash.slice(2, 6));
  const factors = [
    [average >> 16, (average >> 8) & 255, average & 255].map((v) => linear(v / 255)),
  ];
  for (let n = 1; n < across * down; n++) {
    const three = number(hash.slice(4 + 2 * n, 6 + 2 * n));
    factors.push(
      [Math.floor(three / 361), Math.floor(three / 19) % 19, three % 19].map(
        (v) => squared((v - 9) / 9) * strongest,
      ),
    );
  }
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sum = [0, 0, 0];
      for (let n = 0; n < factors.length; n++) {
        const wave =
          Math.cos((Math.PI * x * (n % across)) / width) *
          Math.cos((Math.PI * y * Math.floor(n / across)) / height);
        factors[n]!.forEach((factor, c) => (sum[c]! += factor * wave));
      }
      const at = 4 * (y * width + x);
      sum.forEach((value, c) => (pixels[at + c] = 255 * encoded(Math.min(1, Math.max(0, value)))));
      pixels[at + 3] = 255;
    }
  }
  return pixels;
}
