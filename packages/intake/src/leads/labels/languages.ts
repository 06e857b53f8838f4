import type { Spellings } from './roles.ts'

/** The largest languages of forms besides English, each as its speakers label a contact form. */
export const languages: readonly Spellings[] = [
  {
    language: 'Arabic',
    name: 'الاسم, اسم, الإسم, الاسم الكامل, الاسم بالكامل, الاسم كاملا, اسمك, اسمك الكامل, اسم العميل, الاسم واللقب, الاسم الثلاثي',
    first: 'الاسم الأول, الاسم الاول, الاسم الشخصي, اسمك الأول',
    last: 'اسم العائلة, الاسم الأخير, اللقب, الكنية, العائلة, الاسم العائلي, اسم عائلتك',
    email:
      'البريد الإلكتروني, البريد الالكتروني, بريد إلكتروني, بريدك الإلكتروني, بريدك الالكتروني, الإيميل, الايميل, إيميل, ايميل, عنوان البريد الإلكتروني, البريد',
    phone:
      'الهاتف, هاتف, رقم الهاتف, رقم هاتفك, رقم الجوال, الجوال, جوال, رقم الموبايل, الموبايل, رقم التليفون, التليفون, الهاتف المحمول, رقم الهاتف المحمول, هاتفك, رقم التواصل, رقم الاتصال, رقم الواتساب, واتساب, الواتساب, الهاتف الجوال',
    company: 'الشركة, شركة, اسم الشركة, المؤسسة, اسم المؤسسة, المنظمة, جهة العمل, اسم الجهة, شركتك, اسم شركتك',
    message:
      'الرسالة, رسالة, رسالتك, نص الرسالة, الاستفسار, استفسارك, ملاحظات, ملاحظاتك, تعليق, التعليق, تعليقات, التفاصيل, كيف يمكننا مساعدتك',
  },
  {
    language: 'Bengali',
    name: 'নাম, যোগাযোগের ব্যক্তি, গ্রাহকের নাম, পুরো নাম, সম্পূর্ণ নাম, পূর্ণ নাম',
    first: 'নামের প্রথম অংশ, প্রথম নাম',
    last: 'শেষ নাম, পদবি, পদবী, নামের শেষ অংশ, উপাধি',
    email: 'ইমেইল, ই-মেইল, ইমেল, ই-মেল, ইমেইল ঠিকানা, ইমেল ঠিকানা, ইমেইল আইডি',
    phone: 'ফোন, ফোন নম্বর, ফোন নাম্বার, মোবাইল, মোবাইল নম্বর, মোবাইল নাম্বার, যোগাযোগ নম্বর, টেলিফোন, হোয়াটসঅ্যাপ নম্বর',
    company: 'কোম্পানি, কোম্পানির নাম, প্রতিষ্ঠান, প্রতিষ্ঠানের নাম, সংস্থা, সংস্থার নাম',
    message: 'বার্তা, মেসেজ, মন্তব্য, আপনার প্রশ্ন, প্রশ্ন, বিস্তারিত, আপনার বার্তা',
  },
  {
    language: 'Chinese',
    name: '姓名, 名字, 您的姓名, 真实姓名, 真實姓名, 联系人, 聯絡人, 联系人姓名, 聯絡人姓名, 聯繫人, 称呼, 稱呼, 全名, 客户姓名, 客戶姓名, 中文姓名, 怎么称呼您, 您的称呼, 大名',
    first: '名',
    last: '姓, 姓氏',
    email:
      '邮箱, 电子邮箱, 电子邮件, 邮件, 邮箱地址, 电子邮件地址, 电子邮箱地址, 郵箱, 電子郵箱, 電子郵件, 電郵, 電子信箱, 信箱, 電子郵件地址, 電郵地址, 郵件, email邮箱, 工作邮箱, 公司邮箱, 企业邮箱, 常用邮箱',
    phone:
      '电话, 手机, 手机号, 手机号码, 联系电话, 电话号码, 联系方式, 電話, 手機, 手機號碼, 手機號, 聯絡電話, 連絡電話, 電話號碼, 行動電話, 聯繫電話, 聯絡方式, 移动电话, 固定电话, 座机, 联系手机, 微信手机号',
    company:
      '公司, 公司名称, 公司名稱, 企业, 企业名称, 企業, 企業名稱, 单位, 单位名称, 單位, 單位名稱, 机构, 机构名称, 機構名稱, 公司名, 所在公司, 所属公司, 工作单位, 公司全称',
    message:
      '留言, 留言内容, 留言內容, 备注, 備註, 消息, 訊息, 信息, 内容, 內容, 咨询内容, 諮詢內容, 咨询, 需求, 您的需求, 需求描述, 问题, 問題, 问题描述, 问题或意见, 意见, 意見, 意见反馈, 询盘内容, 说明, 說明, 项目需求, 反馈内容, 评论',
  },
  {
    language: 'Dutch',
    name: 'naam, volledige naam, voor- en achternaam, voornaam en achternaam, naam en achternaam, contactpersoon, uw naam, je naam',
    first: 'voornaam, roepnaam',
    last: 'achternaam, familienaam',
    email: 'e-mailadres, emailadres, mailadres, e-mail adres, uw e-mailadres',
    phone:
      'telefoon, telefoonnummer, mobiel, mobiele nummer, mobiel nummer, gsm, gsm-nummer, telefoon nummer, mobiele telefoon',
    company: 'bedrijf, bedrijfsnaam, organisatie, naam bedrijf, naam organisatie, onderneming, naam van uw bedrijf',
    message:
      'bericht, uw bericht, opmerking, opmerkingen, vraag, uw vraag, toelichting, boodschap, hoe kunnen we u helpen, waarmee kunnen we u helpen',
  },
  {
    language: 'French',
    name: 'nom, nom complet, nom et prénom, nom prénom, prénom et nom, prénom nom, nom & prénom, noms, personne de contact, nom du contact',
    first: 'prénom, prénoms',
    last: 'nom de famille, nom famille, patronyme',
    email:
      'adresse e-mail, adresse email, adresse mail, courriel, adresse courriel, adresse électronique, adresse de courriel, e-mail professionnel, email professionnel, mél',
    phone:
      'téléphone, numéro de téléphone, téléphone portable, portable, téléphone mobile, n° de téléphone, no de téléphone, numéro de portable, numéro téléphone, tél, mobile, téléphone professionnel',
    company:
      'entreprise, société, nom de l’entreprise, nom entreprise, nom de la société, nom de votre entreprise, nom de votre société, organisme, raison sociale, organisation, structure, établissement, nom société',
    message:
      'message, votre message, commentaire, commentaires, demande, votre demande, question, vos questions, remarques, précisions, comment pouvons-nous vous aider',
  },
  {
    language: 'German',
    name: 'name, vollständiger name, ganzer name, vor- und nachname, vorname und nachname, vor- und zuname, vorname nachname, name vorname, ansprechpartner, ansprechpartnerin, kontaktperson, ihr name, kundenname, name des kunden',
    first: 'vorname, rufname',
    last: 'nachname, familienname, zuname',
    email:
      'e-mail-adresse, mailadresse, emailadresse, e-mail adresse, geschäftliche e-mail, geschäftliche e-mail-adresse, berufliche e-mail',
    phone:
      'telefon, telefonnummer, handy, handynummer, mobil, mobilnummer, mobiltelefon, rufnummer, rückrufnummer, telefon-nr, telefonnr, tel-nr, mobilfunknummer, festnetz, festnetznummer',
    company:
      'firma, unternehmen, firmenname, firmenbezeichnung, name des unternehmens, name der firma, unternehmensname, organisation, betrieb, arbeitgeber, name ihres unternehmens, firma unternehmen',
    message:
      'nachricht, ihre nachricht, kommentar, kommentare, anfrage, ihre anfrage, anliegen, ihr anliegen, bemerkung, bemerkungen, anmerkung, anmerkungen, mitteilung, frage, fragen, ihre frage, beschreibung, wie können wir ihnen helfen, wie können wir helfen, freitext, hinweise',
  },
  {
    language: 'Hebrew',
    name: 'שם, שם מלא, שמך המלא, שמך, שם ושם משפחה, שם פרטי ומשפחה',
    first: 'שם פרטי',
    last: 'שם משפחה, משפחה',
    email: 'אימייל, דוא"ל, דואל, מייל, כתובת מייל, כתובת אימייל, דואר אלקטרוני, כתובת דואר אלקטרוני, כתובת דוא"ל',
    phone: 'טלפון, מספר טלפון, נייד, טלפון נייד, מספר נייד, פלאפון, סלולרי, מס טלפון',
    company: 'חברה, שם החברה, שם חברה, ארגון, שם העסק, עסק',
    message: 'הודעה, תוכן ההודעה, הערות, הודעתך, פרטים, פרטי הפנייה, תוכן הפנייה, איך נוכל לעזור',
  },
  {
    language: 'Hindi',
    name: 'नाम, पूरा नाम, पूर्ण नाम, शुभ नाम, आपका नाम, अपना नाम',
    first: 'पहला नाम, प्रथम नाम',
    last: 'अंतिम नाम, उपनाम, कुलनाम, आखिरी नाम, सरनेम',
    email: 'ईमेल, ई-मेल, ईमेल पता, ई-मेल पता, ईमेल आईडी, ई मेल, इमेल, ईमेल एड्रेस',
    phone:
      'फ़ोन, फोन, फ़ोन नंबर, फोन नंबर, फोन नम्बर, मोबाइल, मोबाइल नंबर, मोबाइल नम्बर, सम्पर्क नम्बर, दूरभाष, संपर्क नंबर, सम्पर्क नंबर, व्हाट्सएप नंबर, टेलीफोन',
    company: 'कंपनी, कम्पनी, कंपनी का नाम, कम्पनी का नाम, संगठन, संस्था, संस्था का नाम, संगठन का नाम, व्यवसाय का नाम, फर्म का नाम',
    message: 'संदेश, सन्देश, आपका संदेश, टिप्पणी, प्रश्न, आपका प्रश्न, विवरण, पूछताछ, मैसेज, सवाल, हम आपकी कैसे मदद कर सकते हैं',
  },
  {
    language: 'Indonesian',
    name: 'nama, nama lengkap, nama anda, nama kamu, nama penuh, nama pelanggan, nama kontak',
    first: 'nama depan, nama pertama',
    last: 'nama belakang, nama akhir, nama keluarga',
    email: 'alamat email, alamat e-mail, alamat surel, surel, emel, alamat emel, email anda',
    phone:
      'telepon, nomor telepon, no telepon, no telp, nomor hp, no hp, hp, nomor handphone, nomor ponsel, ponsel, nomor whatsapp, no wa, nomor wa, no whatsapp, telp, telefon, nombor telefon, no telefon, nomor kontak, nomor telp',
    company:
      'perusahaan, nama perusahaan, instansi, nama instansi, organisasi, nama organisasi, syarikat, nama syarikat, nama usaha, perusahaan anda',
    message:
      'pesan, pesan anda, isi pesan, komentar, pertanyaan, catatan, keterangan, mesej, kebutuhan anda, deskripsi',
  },
  {
    language: 'Italian',
    name: 'nome, nome completo, nome e cognome, nome cognome, cognome e nome, nominativo, referente, persona di contatto',
    first: 'nome di battesimo, primo nome',
    last: 'cognome',
    email:
      'indirizzo email, indirizzo e-mail, posta elettronica, indirizzo di posta elettronica, e-mail aziendale, email aziendale, indirizzo mail',
    phone:
      'telefono, numero di telefono, cellulare, numero di cellulare, recapito telefonico, telefono cellulare, numero telefono, tel, cell, recapito',
    company:
      'azienda, nome azienda, società, ragione sociale, nome dell’azienda, impresa, ente, organizzazione, nome della società, ditta',
    message:
      'messaggio, il tuo messaggio, commento, commenti, richiesta, la tua richiesta, domanda, note, come possiamo aiutarti, descrizione, testo del messaggio',
  },
  {
    language: 'Japanese',
    name: '氏名, お名前, 名前, 御名前, ご氏名, 担当者名, ご担当者名, ご担当者様名, 担当者, ご担当者, お客様名, ご担当者氏名, ご担当者様, 代表者名',
    first: '名, 名（めい）, 下の名前',
    last: '姓, 苗字, 姓（せい）',
    email:
      'メール, メールアドレス, Eメール, Eメールアドレス, 電子メール, 電子メールアドレス, 連絡先メールアドレス, ご連絡先メールアドレス, メアド, 会社メールアドレス',
    phone:
      '電話, 電話番号, お電話番号, 携帯, 携帯番号, 携帯電話, 携帯電話番号, ご連絡先電話番号, 連絡先電話番号, 連絡先, ご連絡先, TEL番号, ご連絡先お電話番号',
    company:
      '会社, 会社名, 御社名, 貴社名, 法人名, 企業名, 団体名, 勤務先, 所属, 組織名, 会社名・団体名, 会社・団体名, 貴社名・団体名, 屋号, 店舗名, 会社名・屋号, 勤務先名',
    message:
      'お問い合わせ内容, 問い合わせ内容, お問合せ内容, お問合わせ内容, 内容, メッセージ, ご質問, ご用件, 備考, コメント, ご相談内容, 相談内容, お問い合わせ, ご要望, ご質問内容, 本文, 詳細, お問い合わせ詳細, 質問, 自由記入欄',
  },
  {
    language: 'Korean',
    name: '이름, 성함, 성명, 고객명, 담당자명, 담당자, 담당자 이름, 담당자 성함, 신청자명, 신청자 성함, 이름 성함, 고객 성함',
    first: '이름(성 제외), 명',
    last: '성, 성씨',
    email: '이메일, 이메일 주소, 메일, 메일 주소, 전자우편, 전자메일, 회사 이메일, 업무용 이메일, 전자 우편 주소',
    phone:
      '전화, 전화번호, 연락처, 휴대폰, 휴대폰 번호, 휴대전화, 휴대전화 번호, 핸드폰, 핸드폰 번호, 휴대폰번호, 담당자 연락처, 일반전화',
    company:
      '회사, 회사명, 업체명, 기업명, 소속, 단체명, 기관명, 상호, 상호명, 회사 이름, 소속 회사, 법인명, 회사/기관명',
    message:
      '문의내용, 문의 내용, 문의사항, 문의 사항, 메시지, 내용, 상담내용, 상담 내용, 요청사항, 요청 사항, 질문, 의견, 남기실 말씀, 기타 문의, 문의',
  },
  {
    language: 'Persian',
    name: 'نام و نام خانوادگی, نام کامل, نام, نام شما, اسم, نام و نام‌خانوادگی, نام مشتری, نام ونام خانوادگی',
    first: 'نام کوچک',
    last: 'نام خانوادگی, نام‌خانوادگی, فامیل, فامیلی',
    email: 'ایمیل, ایمیل شما, آدرس ایمیل, پست الکترونیک, پست الکترونیکی, رایانامه, نشانی ایمیل',
    phone:
      'تلفن, شماره تلفن, موبایل, شماره موبایل, تلفن همراه, شماره همراه, شماره تماس, تلفن تماس, شماره تلفن همراه, تلفن ثابت, همراه',
    company: 'شرکت, نام شرکت, سازمان, نام سازمان, موسسه, نام موسسه, نام کسب و کار',
    message: 'پیام, پیام شما, متن پیام, توضیحات, نظر, نظر شما, سوال, درخواست, متن درخواست, دیدگاه',
  },
  {
    language: 'Polish',
    name: 'imię i nazwisko, imię nazwisko, nazwisko i imię, pełne imię i nazwisko, imię i nazwisko osoby kontaktowej, osoba kontaktowa, imiona i nazwisko',
    first: 'imię',
    last: 'nazwisko',
    email:
      'adres e-mail, adres email, adres mailowy, adres poczty elektronicznej, e-mail służbowy, poczta elektroniczna',
    phone:
      'telefon, numer telefonu, nr telefonu, nr tel, telefon komórkowy, telefon kontaktowy, komórka, numer kontaktowy, numer telefonu komórkowego',
    company: 'firma, nazwa firmy, organizacja, nazwa organizacji, przedsiębiorstwo, nazwa przedsiębiorstwa, instytucja',
    message:
      'wiadomość, twoja wiadomość, treść wiadomości, treść, komentarz, uwagi, zapytanie, treść zapytania, pytanie, opis, w czym możemy pomóc, dodatkowe informacje',
  },
  {
    language: 'Portuguese',
    name: 'nome, nome completo, nome e sobrenome, nome e apelido, nome sobrenome, nome do contato, nome do contacto, nome do responsável',
    first: 'primeiro nome, nome próprio',
    last: 'sobrenome, último nome, apelido',
    email:
      'endereço de e-mail, endereço de email, correio eletrónico, correio eletrônico, e-mail corporativo, email corporativo, e-mail profissional, email profissional, endereço eletrônico, melhor e-mail',
    phone:
      'telefone, número de telefone, celular, número de celular, telemóvel, telefone celular, whatsapp, telefone para contato, telefone de contato, nº de telefone, contato telefônico, telefone com ddd, celular com ddd, número do celular, número do whatsapp, contacto telefónico, telefone whatsapp',
    company:
      'empresa, nome da empresa, nome da sua empresa, organização, instituição, companhia, nome da instituição, razão social, nome fantasia',
    message:
      'mensagem, sua mensagem, a sua mensagem, comentário, comentários, observações, observação, dúvida, dúvidas, pergunta, pedido, como podemos ajudar, como podemos te ajudar, descrição, deixe sua mensagem',
  },
  {
    language: 'Russian',
    name: 'имя, фио, ф.и.о., полное имя, имя и фамилия, фамилия и имя, имя фамилия, фамилия имя, фамилия имя отчество, контактное лицо, как вас зовут, как к вам обращаться, ваше имя, имя клиента, представьтесь',
    first: 'имя (без фамилии)',
    last: 'фамилия',
    email:
      'почта, эл. почта, электронная почта, адрес электронной почты, адрес эл. почты, эл. адрес, емейл, имейл, e-mail адрес, емайл, мейл, майл, рабочая почта, рабочий email',
    phone:
      'телефон, телефона, номер телефона, мобильный телефон, контактный телефон, мобильный, тел, сотовый, моб. телефон, сотовый телефон, ваш номер, номер мобильного, телефон для связи, контактный номер',
    company:
      'компания, название компании, организация, название организации, наименование организации, наименование компании, фирма, предприятие, место работы',
    message:
      'сообщение, текст сообщения, ваше сообщение, комментарий, комментарии, вопрос, ваш вопрос, примечание, пожелания, заявка, описание, текст, чем мы можем помочь, дополнительная информация, суть вопроса',
  },
  {
    language: 'Spanish',
    name: 'nombre, nombre completo, nombres completos, nombre y apellido, nombre y apellidos, nombres y apellidos, nombre apellidos, nombre apellido, nombre de contacto, persona de contacto, nombres, nombre del contacto',
    first: 'primer nombre, nombre de pila',
    last: 'apellido, apellidos, primer apellido, apellido paterno',
    email:
      'correo, correo electrónico, dirección de correo electrónico, dirección de correo, e-mail corporativo, email corporativo, correo corporativo, mail, dirección de email, correo de contacto, correo empresarial',
    phone:
      'teléfono, número de teléfono, móvil, celular, número de celular, teléfono móvil, número de móvil, teléfono de contacto, nº de teléfono, teléfono celular, número telefónico, número de contacto, número de whatsapp, tel, teléfono fijo, número de móvil',
    company:
      'empresa, nombre de la empresa, nombre de tu empresa, nombre de su empresa, compañía, organización, nombre de la organización, nombre de la compañía, institución, razón social, negocio, nombre del negocio',
    message:
      'mensaje, tu mensaje, su mensaje, comentario, comentarios, consulta, tu consulta, su consulta, pregunta, observaciones, notas, solicitud, cómo podemos ayudarte, en qué podemos ayudarte, detalles, descripción',
  },
  {
    language: 'Thai',
    name: 'ชื่อ, ชื่อ-นามสกุล, ชื่อ นามสกุล, ชื่อและนามสกุล, ชื่อเต็ม, ชื่อผู้ติดต่อ, ชื่อลูกค้า, ชื่อ - สกุล, ชื่อสกุล',
    first: 'ชื่อจริง, ชื่อแรก, ชื่อต้น',
    last: 'นามสกุล, สกุล',
    email: 'อีเมล, อีเมล์, อีเมลล์, ที่อยู่อีเมล, อีเมลของคุณ, อีเมลแอดเดรส, อีเมลติดต่อ',
    phone:
      'โทรศัพท์, เบอร์โทร, เบอร์โทรศัพท์, หมายเลขโทรศัพท์, เบอร์มือถือ, มือถือ, เบอร์ติดต่อ, เบอร์ติดต่อกลับ, โทร, เบอร์โทรติดต่อ, เบอร์โทรศัพท์มือถือ, โทรศัพท์มือถือ, หมายเลขโทรศัพท์มือถือ, เบอร์โทรศัพท์ติดต่อ',
    company: 'บริษัท, ชื่อบริษัท, องค์กร, ชื่อองค์กร, หน่วยงาน, ชื่อหน่วยงาน, บริษัท/องค์กร, ชื่อกิจการ',
    message: 'ข้อความ, รายละเอียด, ข้อความของคุณ, คำถาม, ความคิดเห็น, หมายเหตุ, สอบถาม, รายละเอียดเพิ่มเติม, ข้อความเพิ่มเติม',
  },
  {
    language: 'Turkish',
    name: 'ad soyad, adı soyadı, isim soyisim, adınız soyadınız, isim, adınız, ad ve soyad, isim soyad, adınız ve soyadınız, ad-soyad, isminiz, tam ad, tam adınız, ad soyadınız, yetkili kişi, ilgili kişi, isminiz soyisminiz',
    first: 'ad, adı, ilk ad',
    last: 'soyad, soyadı, soyadınız, soyisim, soyisminiz',
    email:
      'e-posta, eposta, e-posta adresi, e-posta adresiniz, e-postanız, mail adresi, mail adresiniz, email adresi, email adresiniz, elektronik posta, kurumsal e-posta, mailiniz',
    phone:
      'telefon, telefon numarası, telefon numaranız, cep telefonu, cep telefonunuz, telefonunuz, gsm, iletişim numarası, cep telefonu numarası, gsm numarası, telefon no',
    company:
      'şirket, şirket adı, firma, firma adı, kurum, kurum adı, firmanız, şirketiniz, şirket ismi, işletme adı, firma ünvanı, kuruluş',
    message:
      'mesaj, mesajınız, mesajiniz, yorum, yorumunuz, açıklama, notunuz, sorunuz, talebiniz, konu detayı, not, ileti, size nasıl yardımcı olabiliriz, detaylar',
  },
  {
    language: 'Ukrainian',
    name: "ім'я, ім’я, імʼя, піб, п.і.б., повне ім'я, ім'я та прізвище, прізвище та ім'я, ваше ім'я, прізвище ім'я по батькові, контактна особа, як вас звати, як до вас звертатися",
    first: "ім'я (без прізвища)",
    last: 'прізвище',
    email:
      'пошта, електронна пошта, електронна адреса, ел. пошта, адреса електронної пошти, емейл, імейл, е-мейл, ел. адреса',
    phone:
      'телефон, номер телефону, мобільний телефон, контактний телефон, мобільний, ваш телефон, номер мобільного, моб. телефон',
    company: 'компанія, назва компанії, організація, назва організації, фірма, підприємство, назва підприємства',
    message:
      'повідомлення, текст повідомлення, ваше повідомлення, коментар, коментарі, питання, ваше питання, примітка, запит, опис, чим ми можемо допомогти',
  },
  {
    language: 'Urdu',
    name: 'نام, پورا نام, مکمل نام, آپ کا نام',
    first: 'پہلا نام',
    last: 'آخری نام, خاندانی نام, کنیت',
    email: 'ای میل, ایمیل, ای میل ایڈریس, ای میل پتہ, برقی پتہ, برقی ڈاک',
    phone: 'فون, فون نمبر, موبائل, موبائل نمبر, رابطہ نمبر, ٹیلیفون, ٹیلی فون نمبر, واٹس ایپ نمبر',
    company: 'کمپنی, کمپنی کا نام, ادارہ, ادارے کا نام, تنظیم, کاروبار کا نام',
    message: 'پیغام, آپ کا پیغام, تبصرہ, سوال, تفصیل, تفصیلات, آپ کا سوال',
  },
  {
    language: 'Vietnamese',
    name: 'họ và tên, họ tên, họ & tên, tên đầy đủ, tên của bạn, họ tên đầy đủ, tên khách hàng, người liên hệ, tên, họ và tên của bạn, tên liên hệ, quý danh',
    first: 'tên riêng, tên gọi',
    last: 'họ, họ và tên đệm, họ và tên lót',
    email: 'địa chỉ email, địa chỉ e-mail, thư điện tử, email của bạn, hộp thư, địa chỉ thư điện tử, email liên hệ',
    phone:
      'điện thoại, số điện thoại, sđt, số đt, di động, số di động, điện thoại di động, số điện thoại của bạn, số điện thoại liên hệ, điện thoại liên hệ, số zalo',
    company: 'công ty, tên công ty, tổ chức, doanh nghiệp, tên doanh nghiệp, cơ quan, tên tổ chức, đơn vị',
    message:
      'tin nhắn, nội dung, lời nhắn, nội dung tin nhắn, ghi chú, câu hỏi, yêu cầu, nội dung yêu cầu, nội dung liên hệ, bình luận, lời nhắn của bạn',
  },
]
