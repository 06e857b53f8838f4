import { isPersonWord } from './party-words.ts'
import { plainLabel } from './plain-label.ts'

// Words around the one that names the field: "Your …", "Please enter …", "Wie ist Ihr …", and whom a form calls the person.
// Not `user`: a user name is an account. Not `type`, `address`, `size`: what they make of a company is not its name.
const words = `
  your my our the a an i of for is are what whats s please enter provide give us and or best preferred primary main current
  contact customer customers client clients lead visitor sender guest attendee invitee applicant student students parent
  guardian buyer caller patient member employee respondent participant requester subscriber donor billing personal private work
  business office around legal official appointment booking input field text wpcf q prospect person candidate valid here also contacts
  reviewer signer
  cliente clientes contacto contato kunde kunden klant klienta клиента заказчика pelanggan khach hang musteri paciente
  uns an nous noi nos wie ist ihr ihre ihren dein deine deinen mein meine bitte der die das geben sie ein und oder unter
  votre vos ton ta mon ma quel quelle est le la les de du d l des et ou indiquez saisissez entrez veuillez
  tu su sus tus mi cual es el los y o del por favor ingrese ingresa introduce escriba escribe
  il tuo suo tua sua vostro qual e inserisci seu seus teu da do informe digite insira
  uw je jouw wat en of vul in twoj twoja twoje podaj swoj swoje lutfen giriniz
  ваш ваша ваше вашу ваши конт лица контактного введите укажите пожалуйста и или введіть вкажіть ласка та або
  anda kamu masukkan silakan cua ban nhap vui long
  أدخل ادخل الخاص بك فضلك من لديك آپ کا کی شما لطفا را وارد کنید خود خودتان
  आपका आपकी अपना अपनी कृपया दर्ज करें क्या है का আপনার আপনি লিখুন שלך נא הזן
  귀하의 입력하세요 입력해 주세요 필수 선택
`
let stopWords: ReadonlySet<string> | undefined

export function isStopWord(word: string): boolean {
  stopWords ??= new Set(words.split(/\s+/).map(plainLabel))
  return stopWords.has(word) || isPersonWord(word) || /^\p{N}+$/u.test(word)
}

const leading = [
  '请输入您的',
  '请输入',
  '請輸入您的',
  '請輸入',
  '请填写',
  '請填寫',
  '请留下',
  '您的',
  '你的',
  'あなたの',
  'お',
  'ご',
  'กรุณากรอก',
]
/** Whose it is, before what it is: `联系人手机` is the telephone of the contact. */
const whom =
  '家长 家長 监护人 監護人 学生 學生 联系人 聯絡人 聯繫人 客户 客戶 顾客 申请人 申請人 报名人 報名人 预约人 預約人 反馈人 訂購人 订购人 填表人 ' +
  'お客様の お客様 申込者の 申込者 保護者の 保護者 ご担当者 担当者 代表者 応募者 고객 신청자 담당자 보호자 학생 문의자'
const trailing = ['を入力してください', 'を入力', 'ของคุณ', '를 입력하세요', '을 입력하세요', '입력']

let affixes: Readonly<Record<'leading' | 'whom' | 'trailing', readonly string[]>> | undefined

const shortestRest = 2

/** The same for scripts that put no spaces between words. */
export const withoutAffixes = (plain: string): string => {
  affixes ??= {
    leading: leading.map(plainLabel),
    whom: whom.split(' ').map(plainLabel),
    trailing: trailing.map(plainLabel),
  }
  const before = affixes.leading.find((affix) => plain.startsWith(affix) && plain.length > affix.length) ?? ''
  const asked = plain.slice(before.length)
  const whose =
    affixes.whom.find((affix) => asked.startsWith(affix) && asked.length >= affix.length + shortestRest) ?? ''
  const rest = asked.slice(whose.length)
  const after = affixes.trailing.find((affix) => rest.endsWith(affix) && rest.length > affix.length) ?? ''
  return rest.slice(0, rest.length - after.length)
}
