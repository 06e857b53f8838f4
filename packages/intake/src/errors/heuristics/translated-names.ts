// The names of the same facts in other languages. Messages are found without them: a sentence is one in any language.

const names: Readonly<Record<string, string>> = {
  message:
    'mensaje mensagem mensaje_error mensaje_de_error mensagem_de_erro nachricht meldung fehlermeldung fehlertext messaggio messaggio_errore bericht foutmelding melding wiadomość komunikat сообщение текст повідомлення mesaj hata_mesajı 消息 信息 错误信息 错误消息 訊息 メッセージ エラーメッセージ 메시지 رسالة संदेश',
  error: 'erreur erro errore fehler fout błąd ошибка помилка hata 错误 異常 エラー 오류 خطأ त्रुटि',
  exception: 'excepción excepcion exceção excecao exception_levée eccezione ausnahme wyjątek исключение 异常 例外 예외',
  file: 'archivo fichero arquivo ficheiro fichier datei bestand plik файл dosya 文件 ファイル 파일',
  line: 'línea linea linha ligne zeile riga regel wiersz строка рядок satır 行 行号 行號 行番号 행',
  level: 'nivel nível niveau livello stufe poziom уровень рівень seviye 级别 等级 レベル 수준',
  severity: 'severidad gravedad severidade gravidade gravité schweregrad gravità критичность 严重程度 重要度',
  service: 'servicio serviço servico dienst servizio usługa сервис служба servis 服务 サービス 서비스',
  application:
    'aplicación aplicacion aplicação aplicativo anwendung applicazione aplikacja приложение uygulama 应用 アプリ',
  environment: 'entorno ambiente umgebung environnement omgeving środowisko окружение среда ortam 环境 環境 환경',
}

const known = new Map(
  Object.entries(names).flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const)),
)

/** The English name of a fact that is called otherwise elsewhere. */
export const translated = (name: string): string | undefined => known.get(name)
