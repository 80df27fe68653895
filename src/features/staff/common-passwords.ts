/**
 * The commonest passwords of at least twelve characters, in lower case; shorter ones are refused by their length. Beside
 * the words of published lists, what is made of a short one by repeating it or by a run of digits.
 */
const LISTED = `123456789012 1234567890123 12345678901234 123456789101112 1234567891011 123123123123 111111111111 000000000000
  1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx3edc 1qaz2wsx3edc4rfv qwertyuiop12 qwertyuiop123 qwertyuiop[] qwertyuiopasdf
  qwertyuiopasdfghjkl qwerty123456 qwerty1234567 qwerty12345678 qwertyqwerty asdfghjkl123 asdfghjklqwerty zxcvbnmasdfghjkl
  qazwsxedcrfv passwordpassword password1234 password12345 password123456 password1234567890 password2024! password2025!
  password2026! passw0rd1234 p@ssw0rd1234 p@ssword1234 p@ssw0rd12345 administrator administrator1 admin1234567 admin12345678
  adminadminadmin changeme1234 changemeplease changeme12345 letmeinletmein letmein12345 letmeinplease welcome12345
  welcome123456 welcome1234! iloveyou1234 iloveyou12345 iloveyouforever iloveyousomuch iloveyou1314 sunshine1234
  superman1234 football1234 baseball1234 princess1234 michaeljordan manchesterunited liverpoolfc1 chelseafc123 dragonballz1
  mypassword12 mypassword123 thisismypassword correcthorsebatterystaple correct horse battery staple trustno1trustno1
  abcdefghijkl abcdefghijklm abcdefghijklmnop abcdefghijklmnopqrstuvwxyz abcd1234abcd abc123abc123 abcd12345678 a1b2c3d4e5f6
  1234qwerasdf 1234qwerasdfzxcv qwer1234asdf q1w2e3r4t5y6 zaq12wsxcde3 zaq1xsw2cde3 monkey123456 google123456 facebook1234
  samsung12345 internet1234 computer1234 whatever1234 startrek1234 starwars1234 jesuschrist1 jesusislord1 godisgood123
  testtesttest test12345678 testing12345 secret123456 default12345 temporary123 temporary1234 company12345 spring2025! summer2025!
  winter2025! autumn2025! spring2026! summer2026! winter2026! autumn2026!`;

const WORDS = [...LISTED.split(/\s+/), 'correct horse battery staple', 'the quick brown fox'];

const BASES =
  'password qwerty admin welcome letmein iloveyou monkey dragon football master sunshine princess shadow superman abc123 secret'.split(
    ' ',
  );
const TAILS = [
  '1',
  '12',
  '123',
  '1234',
  '12345',
  '123456',
  '1234567',
  '12345678',
  '123456789',
  '1234567890',
  '!',
  '1!',
  '123!',
  '1234!',
];

export const COMMON_PASSWORDS: ReadonlySet<string> = new Set([
  ...WORDS,
  ...BASES.flatMap((base) => [
    ...TAILS.map((tail) => base + tail),
    ...TAILS.map((tail) => base + base + tail),
    base.repeat(2),
    base.repeat(3),
  ]),
]);
